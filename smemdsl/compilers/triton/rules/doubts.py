"""Where the rules were not measured, or depend on what a program does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.compilers.triton.rules.convert_layout import unknown_scratch
from smemdsl.compilers.triton.rules.kernel import WARP, Kernel
from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.positions import Place
from smemdsl.compilers.triton.rules.target import FMA, MMA
from smemdsl.core.confidence import Uncertainty, approximate, bound
from smemdsl.program.statements import Copy, If, Load, Loop, Statement, Store
from smemdsl.program.walk import everything, touches, writes

NARROW = 16
"""Bytes of a row that one thread may copy."""


def doubts(body: Sequence[Statement], kernel: Kernel) -> Iterator[Uncertainty]:
    """Why the answer may differ from the compiler's."""
    yield from map(approximate, _of_loops(body, kernel))
    for name in kernel.buffers:
        operand, fill = kernel.operand(name), kernel.fill(name)
        if operand is not None and fill is not None:
            yield from map(approximate, _of_operand(operand, fill, kernel))
    if not any(_is_scratch(name, body, kernel) for name in kernel.buffers):
        yield from map(bound, unknown_scratch(kernel))


def _is_scratch(name: str, body: Sequence[Statement], kernel: Kernel) -> bool:
    """Declared scratch: neither copied from global memory, nor stored there, nor an operand."""
    moved = {each for s in everything(body) if isinstance(s, Copy | Load | Store) for each in touches(s)}
    return name not in moved and kernel.operand(name) is None


def filled(loop: Loop) -> set[str]:
    """What a loop copies from global memory."""
    copies = (each for each in everything(loop.body) if isinstance(each, Copy | Load))
    return {name for copy in copies for name in writes(copy)}


def _of_loops(body: Sequence[Statement], kernel: Kernel) -> Iterator[str]:
    read = {name for dot in kernel.dots for name in (dot.gemm.a, dot.gemm.b)}
    for loop in (each for each in everything(body) if isinstance(each, Loop) and each.num_stages > 1):
        inside = list(everything(loop.body))
        if not filled(loop) <= read:
            yield "a pipelined copy that no gemm reads: Triton may keep it in registers"
        if any(isinstance(each, Loop) for each in inside):
            yield "a loop inside a pipelined loop was not measured"
        if any(isinstance(each, If) for each in inside):
            yield "an `if` in a pipelined loop was not measured"


def _of_operand(operand: Operand, fill: Place, kernel: Kernel) -> Iterator[str]:
    name = operand.buffer.name
    if operand.kind == FMA and operand.threads == WARP and not (fill.num_stages > 1 and operand.async_copies):
        yield "a block of one warp may pass an operand of plain arithmetic by shuffles"
    if operand.cast and operand.buffer.bytes <= operand.threads:
        yield "an operand of one element a thread may be cast after it went through shared memory"
    if not operand.async_copies:
        yield from _before_sm80(operand, kernel)
        return
    asked, by_tma = isinstance(fill.statement, Copy) and fill.statement.tma, kernel.by_tma(fill)
    if asked and not by_tma:
        yield "tensor descriptors on a target without TMA were not measured"
    if operand.cast and len(kernel.uses(name)) > 1:
        yield "an 8-bit operand that two dots cast: Triton may cast it once, through shared memory"
    if operand.bits == 8 and operand.transposed and operand.row <= NARROW and not by_tma:
        yield f"an 8-bit operand with rows of {NARROW} B that are not along K: Triton may transpose it"
    if operand.kind != MMA or by_tma or not kernel.is_pipelined_operand(name):
        return
    is_transposed = operand.gemm.trans_a if operand.gemm.a == name else operand.gemm.trans_b
    if (fill.num_stages <= 1 or operand.is_small) and is_transposed:
        yield "a transposed operand of mma that is not pipelined goes through scratch of an unknown size"


def _before_sm80(operand: Operand, kernel: Kernel) -> Iterator[str]:
    if not kernel.is_pipelined_operand(operand.buffer.name):
        yield "an operand that is copied outside the loop of its gemm was not measured before sm_80"
    if operand.bits == 8:
        yield "an 8-bit operand was not measured before sm_80"
