"""The worker process: started with a time limit, killed past it, started again for what is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from smemdsl.compilers.capture.request import Capture, Failure, Request
from smemdsl.compilers.capture.stderr import PRINTED
from smemdsl.compilers.capture.worker_crash import death

TIME_LIMIT = 300.0
"""Seconds for one kernel, the compiler's start-up included."""
WORKER = "smemdsl.compilers.capture.worker"
_POLL = 0.05


def run(requests: Sequence[Request], limit: float = TIME_LIMIT) -> Iterator[Capture | Failure]:
    """The captures of some kernels, in order, compiled one after the other.

    One process serves them all, so that a compiler starts once. A kernel that takes longer than `limit`
    seconds, or that kills the process, is a failure, and the next one gets a fresh process.
    """
    for answer in answers([request.to_json() for request in requests], limit):
        if isinstance(answer, Failure):
            yield answer
        elif "error" in answer:
            yield Failure(**answer["error"])
        else:
            yield Capture.from_json(answer)


def answers(
    jobs: Sequence[dict[str, Any]], limit: float, worker: str = WORKER
) -> Iterator[dict[str, Any] | Failure]:
    """A worker's answer to each job, as plain data; `worker` is the module that is run."""
    done = 0
    while done < len(jobs):
        with tempfile.TemporaryDirectory(prefix="smemdsl-", ignore_cleanup_errors=True) as folder:
            process = _Worker(Path(folder), jobs[done:], worker)
            for answer in process.answers(limit):
                done += 1
                yield answer


class _Worker(NamedTuple):
    """A process that answers jobs until one of them stops it."""

    folder: Path
    jobs: Sequence[dict[str, Any]]
    module: str

    def answers(self, limit: float) -> Iterator[dict[str, Any] | Failure]:
        (self.folder / "jobs.jsonl").write_text("".join(json.dumps(job) + "\n" for job in self.jobs))
        (self.folder / "answers.jsonl").touch()
        with (self.folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-X", "faulthandler", "-m", self.module, str(self.folder), os.getcwd()],
                cwd=self.folder,  # whose files cannot be taken for modules that the worker imports
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=_environment(self.folder),
                start_new_session=True,
            )
            try:
                yield from self.follow(process, limit)
            finally:
                _kill(process)

    def follow(self, process: subprocess.Popen[bytes], limit: float) -> Iterator[dict[str, Any] | Failure]:
        """Answers as they come; the job that stops the process is answered by a failure."""
        with (self.folder / "answers.jsonl").open(encoding="utf-8") as lines:
            for job in self.jobs:
                deadline = time.monotonic() + limit
                line = ""
                while not line.endswith("\n"):
                    ended = process.poll() is not None
                    line += lines.readline()
                    if line.endswith("\n"):
                        break
                    if ended:
                        yield death(process.returncode, self.log(), str(job.get("file", "")))
                        return
                    if time.monotonic() > deadline:
                        yield Failure("capture-timeout", f"no answer within {limit:g} s", "--time-limit")
                        return
                    time.sleep(_POLL)
                yield json.loads(line)

    def log(self) -> str:
        """What the process has printed; what it printed where it was read along comes last."""
        files = (self.folder / "log", self.folder / "printed")
        return "\n".join(
            file.read_text(encoding="utf-8", errors="replace") for file in files if file.exists()
        )


def _environment(folder: Path) -> dict[str, str]:
    """This process's, with this package on the path whatever folder the worker is in."""
    here = str(Path(__file__).parents[3])
    path = [here, *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), PRINTED: str(folder / "printed")}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the worker and whatever it started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        else:
            process.kill()
    process.wait()
    if process.stdin:
        process.stdin.close()
