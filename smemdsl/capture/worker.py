"""The worker process: `python -m smemdsl.capture.worker FOLDER` answers the jobs of FOLDER/jobs.jsonl.

It runs the user's code. What that prints goes to the parent's log; answers go to FOLDER/answers.jsonl.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from smemdsl.capture.failing import CaptureError


def main(folder: Path) -> None:
    """Answer every job, each as soon as it is done."""
    jobs = (folder / "jobs.jsonl").read_text(encoding="utf-8").splitlines()
    with (folder / "answers.jsonl").open("a", encoding="utf-8") as out:
        for line in jobs:
            out.write(json.dumps(answer(json.loads(line))) + "\n")
            out.flush()


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to one job, an error included: whatever the user's code or the compiler raises is one."""
    try:
        module = import_module(f"smemdsl.capture.{job['compiler']}.job")
        result: dict[str, Any] = module.run(job)
    except CaptureError as error:
        return {"error": error.failure._asdict()}
    return result


if __name__ == "__main__":
    main(Path(sys.argv[1]))
