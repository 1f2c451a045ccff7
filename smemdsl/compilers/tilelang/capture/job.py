"""One job of the worker: a kernel of a user's file, compiled by TileLang."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError
from smemdsl.compilers.capture.loading import find, loaded, read_values
from smemdsl.compilers.capture.request import Capture, Request
from smemdsl.compilers.tilelang.capture.building import Built, build, kept_kernels
from smemdsl.compilers.tilelang.capture.compiler import version
from smemdsl.compilers.tilelang.capture.compiling import NO_REUSE, Stages, compile_stages, target_of
from smemdsl.compilers.tilelang.capture.explicit import ALIGN, arena, kernels
from smemdsl.compilers.tilelang.capture.program import write


def run(job: dict[str, Any]) -> dict[str, Any]:
    """The capture that a request asks for, as plain data.

    Raises:
        CaptureError: there is none.
    """
    request = Request.from_json(job)
    version()
    with kept_kernels(), loaded(request.file) as module:
        found = find(module, request.name)
        target = target_of(request.target)
        built = build(found, read_values(request.args), target, request.file)
    options = {**built.options, **read_values(request.options)}
    return capture(built, options, request, target).to_json()


def capture(built: Built, options: Mapping[str, Any], request: Request, target: Any) -> Capture:
    """What TileLang makes of a prim_func.

    Raises:
        CaptureError: it does not compile, or its sizes are symbolic.
    """
    return captured(compile_stages(built.func, options, target), built, options, request, target)


def captured(
    stages: Stages, built: Built, options: Mapping[str, Any], request: Request, target: Any
) -> Capture:
    """What the stages of a compilation say.

    Raises:
        CaptureError: there are several kernels, or its sizes are symbolic.
    """
    names = list(kernels(stages))
    kernel = _chosen(names, request.kernel)
    made = arena(stages, kernel, built.func, options, target)
    written = write(stages, options, names.index(kernel))
    return Capture(
        compiler=f"tilelang {version()}",
        kernel=kernel,
        target=request.target,
        threads=made.threads,
        policy="sequential" if options.get(NO_REUSE) else "tilelang",
        buffers=made.buffers,
        arena=made.total,
        static=made.static,
        align=ALIGN,
        seconds=stages.seconds,
        program=written.program,
        doubts=written.doubts,
        warnings=(stages.doubt,) if stages.doubt else (),
    )


def _chosen(names: list[str], wanted: str) -> str:
    """The kernel that is asked for; the only one, where none is.

    Raises:
        CaptureError: there are several to choose from, or none of that name.
    """
    if wanted in names:
        return wanted
    listed = ", ".join(names)
    if wanted:
        raise CaptureError("capture-name", f"it launches no kernel {wanted!r}", f"--kernel: {listed}")
    if len(names) != 1:
        raise CaptureError("capture-name", f"it launches {len(names)} kernels", f"--kernel: one of {listed}")
    return names[0]
