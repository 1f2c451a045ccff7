"""One job of the worker: a kernel of a user's file, compiled by Triton."""

from __future__ import annotations

import time
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError, attempt, no_kernel
from smemdsl.compilers.capture.loading import find, loaded, read_values
from smemdsl.compilers.capture.request import Capture, CapturedBuffer, Request
from smemdsl.compilers.capture.stderr import with_stderr
from smemdsl.compilers.triton.capture.compiler import lower, module, options_of, target_of, version
from smemdsl.compilers.triton.capture.dump_text import Allocation, Made, parse_dump
from smemdsl.compilers.triton.capture.failing import at_its_line
from smemdsl.compilers.triton.capture.signature import Parameter, Signature, SignatureError, specialise

WARP = 32
ALIGN = 1
"""Triton does not round its arena up."""


def run(job: dict[str, Any]) -> dict[str, Any]:
    """The capture that a request asks for, as plain data.

    Raises:
        CaptureError: there is none.
    """
    request = Request.from_json(job)
    version()
    with loaded(request.file) as module_of_user:
        kernel = _kernel(find(module_of_user, request.name))
        target = target_of(request.target)
        try:
            signature = specialise(_parameters(kernel), request.args)
        except SignatureError as error:
            raise CaptureError("capture-args", str(error), "--arg NAME=TYPE or --arg NAME=VALUE") from None
        return capture(kernel, signature, request, target).to_json()


def capture(kernel: Any, signature: Signature, request: Request, target: Any) -> Capture:
    """What Triton makes of a kernel.

    Raises:
        CaptureError: it does not compile, or the allocation printed is not the one that it has.
    """
    hints = {(index,): [["tt.divisibility", 16]] for index in signature.divisible}
    constants = {(kernel.arg_names.index(name),): value for name, value in signature.constants.items()}
    source = module("triton.compiler").ASTSource(
        fn=kernel, signature=signature.types, constexprs=constants, attrs=hints
    )
    options = options_of(read_values(request.options), target)
    begin = time.process_time()
    try:
        made, text = with_stderr(
            lambda: attempt(
                "capture-compile", "the kernel does not compile", lambda: lower(source, options, target)
            )
        )
    except CaptureError as error:
        raise at_its_line(error, kernel, request.file) from error.__cause__
    seconds = time.process_time() - begin
    allocation = _chosen(parse_dump(text), made["shared"])
    return Capture(
        compiler=f"triton {version()}",
        kernel=kernel.__name__,
        target=request.target,
        threads=made["num_warps"] * WARP,
        policy="triton",
        buffers=tuple(map(_buffer, allocation.buffers)),
        arena=allocation.total,
        static=0,
        align=ALIGN,
        seconds=seconds,
        program=None,
        doubts=("there is no program form for Triton",),
        cluster=made["num_ctas"],
    )


def _kernel(found: Any) -> Any:
    """The jitted function under autotuners and heuristics."""
    while not hasattr(found, "arg_names") or not hasattr(found, "params"):
        if not hasattr(found, "fn"):
            raise no_kernel(found, "a function under @triton.jit")
        found = found.fn
    return found


def _parameters(kernel: Any) -> list[Parameter]:
    return [Parameter(p.name, p.is_constexpr, p.default if p.has_default else None) for p in kernel.params]


def _chosen(found: list[Allocation], shared: int) -> Allocation:
    """The kernel's own allocation: the one of the size that the launch asks for.

    Where it asks for none, every pass prints its own, of no buffer.
    """
    if shared == 0:
        return Allocation((), 0)
    fitting = [allocation for allocation in found if allocation.total == shared]
    if len(fitting) != 1:
        totals = ", ".join(str(allocation.total) for allocation in found) or "none"
        message = f"Triton asks for {shared} B of shared memory but printed allocations of {totals}"
        raise CaptureError("capture-compile", message)
    return fitting[0]


def _buffer(made: Made) -> CapturedBuffer:
    return CapturedBuffer(
        f"{made.kind}_{made.id}",
        made.bytes,
        made.versions,
        made.align,
        made.live,
        made.offset,
        None,
        None,
        made.what,
    )
