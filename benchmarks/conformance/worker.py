"""The worker: captures every kernel that a file compiles, for one target."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from benchmarks.conformance.finding import recorded, run_entries
from benchmarks.conformance.pretend import pretend_cuda
from smemdsl.compilers.capture.failing import CaptureError, attempt
from smemdsl.compilers.capture.loading import loaded
from smemdsl.compilers.capture.request import Request
from smemdsl.compilers.capture.worker import serve
from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.building import Built
from smemdsl.compilers.tilelang.capture.compiling import Stages, compile_stages, target_of
from smemdsl.compilers.tilelang.capture.explicit import kernels
from smemdsl.compilers.tilelang.capture.job import captured
from smemdsl.compilers.tilelang.capture.program import write

STAGE, ORDER = "software_pipeline_stage", "software_pipeline_order"


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The captures of one file, and why its entry points ended early."""
    request = Request.from_json(job)
    target = target_of(request.target)
    pretend_cuda(divmod(int("".join(filter(str.isdigit, request.target))), 10))
    notes: list[str] = []
    found: list[Built] = []
    try:
        with recorded() as found, target, loaded(request.file) as user:
            notes += run_entries(user)
    except CaptureError as error:
        notes.append(str(error).splitlines()[0][:200])
    captures = [item for built in found for item in _captured(built, request, target)]
    return {"notes": notes, "kernels": captures}


def _captured(built: Built, request: Request, target: Any) -> list[dict[str, Any]]:
    """Every kernel that a function launches."""
    name = str(built.func.attrs["global_symbol"]) if "global_symbol" in built.func.attrs else "kernel"
    try:
        stages = compile_stages(built.func, built.options, target)
    except CaptureError as error:
        return [{"name": name, "error": error.failure._asdict()}]
    names = list(kernels(stages))
    return [_one(stages, built, request._replace(kernel=names[i]), target, i) for i in range(len(names))]


def _one(stages: Stages, built: Built, request: Request, target: Any, launch: int) -> dict[str, Any]:
    try:
        found = attempt(
            "capture-internal", "capture failed", lambda: _all(stages, built, request, target, launch)
        )
    except CaptureError as error:
        found = {"error": error.failure._asdict()}
    return {"name": request.kernel, **found}


def _all(stages: Stages, built: Built, request: Request, target: Any, launch: int) -> dict[str, Any]:
    """The capture, the compiler's planning arrays, and the program with every statement that they count."""
    loops = [_arrays(node) for node in _loops(stages.planned)] if len(kernels(stages)) == 1 else []
    return {
        "capture": captured(stages, built, built.options, request, target).to_json(),
        "loops": loops,
        "full": write(stages, built.options, launch, full=True).program,
    }


def _loops(module: Any) -> list[Any]:
    """Planned loops, in source order: an outer one before what it contains."""
    nodes = [node for func in module.functions.values() for node in ir.nodes(func.body)]
    return [node for node in reversed(nodes) if ir.kind(node) == "For" and STAGE in node.annotations]


def _arrays(node: Any) -> dict[str, Any]:
    stages, order = (list(map(int, node.annotations[key])) for key in (STAGE, ORDER))
    return {"loop": str(node.loop_var.name), "stages": stages, "order": order}


if __name__ == "__main__":
    serve(Path(sys.argv[1]), answer)
