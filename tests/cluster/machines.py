"""Schedulers, workers and clients as processes of this machine, on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
LONGEST = 120.0
"""Seconds to wait for what must come."""
_PROGRAM = "{first}\nimport sys\nsys.argv[0] = 'dask'\nfrom distributed.cli.{module} import main\nmain()"
SLOW = """
import time
from smemdsl.cli import sweep_workers
work = sweep_workers.work
def slow(*arguments):
    time.sleep(0.05)
    return work(*arguments)
sweep_workers.work = slow
"""
"""What makes every chunk take a while, so that a worker that is killed has one."""
_CLIENT = """
import os, signal, time
from smemdsl.execution import cluster
from smemdsl.__main__ import main
from smemdsl.cli import sweep_run
from smemdsl.sweeping import chunks
put = sweep_run._put
def put_and_wait(text, target):
    put(text, target)
    while os.path.exists("hold") and os.path.exists("rows.part") and os.path.getsize("rows.part") > 2000:
        time.sleep(0.02)
sweep_run._put = put_and_wait
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore it
    chunks._BUFFERS, sweep_run._KEEP_EVERY, cluster._SOON = 64, 0.1, 600
    main()
"""
"""The command line, with chunks of few rows, each safe soon, and silent while a busy machine connects.

With some rows in `rows.part` it goes no further while there is a file `hold`.
"""


def environment() -> dict[str, str]:
    """That of a process which finds this checkout, and waits for the others on a busy machine."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{LONGEST:g}s"}


def start(module: str, arguments: list[str], folder: Path, first: str = "pass") -> subprocess.Popen[bytes]:
    """A scheduler or a worker, which runs `first` before anything else."""
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(first=first, module=module), *arguments, "--no-dashboard"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler: its address and its process."""
    file = folder / "scheduler.json"
    arguments = ["--host", "127.0.0.1", "--port", "0", "--no-show", "--scheduler-file", str(file)]
    process = start("dask_scheduler", arguments, folder)
    with ended(process):
        eventually(lambda: file.exists() and file.read_text(encoding="utf-8").endswith("}"))
        yield json.loads(file.read_text(encoding="utf-8"))["address"], process


def worker(address: str, folder: Path, first: str = SLOW) -> subprocess.Popen[bytes]:
    """A worker of a scheduler."""
    arguments = [address, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
    return start("dask_worker", arguments, folder, first)


@contextmanager
def ended(*processes: subprocess.Popen[bytes]) -> Iterator[tuple[subprocess.Popen[bytes], ...]]:
    """See to it that processes end."""
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
            for stream in filter(None, (process.stdout, process.stderr)):
                stream.close()


def client(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """`smemdsl` at work, in small pieces."""
    return subprocess.Popen(
        [sys.executable, "-c", _CLIENT, *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def eventually(condition: Callable[[], object]) -> None:
    """Wait until something holds.

    Raises:
        TimeoutError: it does not.
    """
    end = time.monotonic() + LONGEST
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Clients in this folder stop in the middle of a sweep until the block ends, or the file is gone."""
    hold = folder / "hold"
    hold.touch()
    try:
        yield hold
    finally:
        hold.unlink(missing_ok=True)


def under_way(process: subprocess.Popen[bytes], file: Path) -> None:
    """Wait until a sweep that is held has written rows."""
    eventually(lambda: process.poll() is not None or (file.exists() and file.stat().st_size > 2000))
    assert process.poll() is None, process.communicate()


class Known(NamedTuple):
    """What a scheduler knows."""

    workers: int
    tasks: int
    names: set[str]
    """The workers' addresses."""


def known(address: str) -> Known:
    """Ask a scheduler what workers and how many tasks it has."""
    distributed = import_module("distributed")
    with distributed.Client(address, set_as_default=False) as client:
        return Known(*client.run_on_scheduler(_known))


def _known(dask_scheduler: Any) -> tuple[int, int, set[str]]:
    return len(dask_scheduler.workers), len(dask_scheduler.tasks), set(dask_scheduler.workers)
