"""The worker: captures every kernel that a file compiles, for one target."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from benchmarks.conformance.finding import recorded, run_entries
from benchmarks.conformance.pretend import pretend_cuda
from smemdsl.capture.failing import CaptureError, attempt
from smemdsl.capture.loading import loaded
from smemdsl.capture.request import Request
from smemdsl.capture.tilelang.building import Built
from smemdsl.capture.tilelang.compiling import target_of
from smemdsl.capture.tilelang.job import capture
from smemdsl.capture.worker import serve

CAPABILITIES = {"sm_80": (8, 0), "sm_90a": (9, 0), "sm_89": (8, 9), "sm_100a": (10, 0)}


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The captures of one file, and why its entry points ended early."""
    request = Request.from_json(job)
    target = target_of(request.target)
    pretend_cuda(CAPABILITIES[request.target])
    notes: list[str] = []
    found: list[Built] = []
    try:
        with recorded() as found, target, loaded(request.file) as user:
            notes += run_entries(user)
    except CaptureError as error:
        notes.append(str(error).splitlines()[0][:200])
    return {"notes": notes, "kernels": [_captured(built, request, target) for built in found]}


def _captured(built: Built, request: Request, target: Any) -> dict[str, Any]:
    name = str(built.func.attrs["global_symbol"]) if "global_symbol" in built.func.attrs else "kernel"
    try:
        found = attempt(
            "capture-internal", "capture failed", lambda: capture(built, built.options, request, target)
        )
        return {"name": name, "capture": found.to_json()}
    except CaptureError as error:
        return {"name": name, "error": error.failure._asdict()}


if __name__ == "__main__":
    serve(Path(sys.argv[1]), answer)
