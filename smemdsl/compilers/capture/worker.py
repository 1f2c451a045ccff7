"""The worker process: `python -m smemdsl.compilers.capture.worker FOLDER WHERE` answers FOLDER/jobs.jsonl.

It starts in FOLDER and works in WHERE, and finds modules there after all others. It runs the code of users.
What that prints goes to the log of the parent; answers go to FOLDER/answers.jsonl.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError, attempt
from smemdsl.compilers.capture.user_frame import placed


def serve(folder: Path, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer every job, each as soon as it is done, and no longer than the parent lives."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for where in sys.argv[2:]:
        os.chdir(where)
        sys.path.append(where)
    jobs = (folder / "jobs.jsonl").read_text(encoding="utf-8").splitlines()
    with (folder / "answers.jsonl").open("a", encoding="utf-8") as out:
        for line in jobs:
            out.write(json.dumps(answer(json.loads(line))) + "\n")
            out.flush()


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to one job, an error included: whatever the user's code or the compiler raises is one."""
    try:
        return attempt("capture-internal", "capture itself failed", lambda: _run(job))
    except CaptureError as error:
        traceback.print_exc()
        found = error.failure
        if found.line is None:
            found = placed(found, error.__cause__, str(job.get("file", "")))
        return {"error": found._asdict()}


def _run(job: dict[str, Any]) -> dict[str, Any]:
    module = import_module(f"smemdsl.compilers.{job['compiler']}.capture.job")
    result: dict[str, Any] = module.run(job)
    return result


def _end_with_parent() -> None:
    """Leave when the parent is gone, however it went: then its end of the pipe is closed."""
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), answer)
