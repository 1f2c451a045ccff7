"""Buffers of what products read: versions, lives and alignments by how the tile is loaded (T1 to T3, T5)."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.positions import Place, hull, touching
from smemdsl.compilers.triton.rules.rules import (
    Operand,
    alignment,
    stays_in_registers,
    swizzle,
    turned_copies,
    versions,
)
from smemdsl.compilers.triton.rules.target import MMA, TCGEN05, WGMMA
from smemdsl.program.lowered import Because, LoweredBuffer

AT_ONCE = Because("T0", "at its product alone: until then it is in registers")
Life = tuple[int, int, Because]


def operand_buffer(operand: Operand, fill: Place, kernel: Kernel) -> LoweredBuffer:
    """The buffer of an operand that a copy or load fills."""
    name, by_tma = operand.buffer.name, kernel.by_tma(fill)
    beside = kernel.is_beside(name)
    count, why = versions(fill.num_stages if beside else 0, operand.kind)
    kept = stays_in_registers(operand) if beside and not by_tma and fill.num_stages > 1 else None
    size = operand.buffer.bytes
    if kept:
        count, why = 1, kept
        size *= 2 if operand.cast else 1
    elif by_tma and count > 1 and turned_copies(operand, count) and operand.kind == WGMMA:
        count, why = count - 1, Because("T5", "it is copied once more before wgmma reads it: num_stages - 1")
    start, end, why_live = life(operand, fill, kernel, in_registers=kept is not None)
    align, why_align = alignment(operand, by_tma=by_tma)
    return LoweredBuffer(name, count, count * size, align, start, end, why, why_live, why_align)


def life(operand: Operand, fill: Place, kernel: Kernel, *, in_registers: bool) -> Life:
    """T0: a pipelined buffer lives as long as its loop; any other from where it is stored to its product."""
    name = operand.buffer.name
    uses = kernel.uses(name)
    if not kernel.is_beside(name):
        start, end = hull(touching(name, kernel.places))
        return start, end, Because("T0", "from its copy to the end of the loop that reads it")
    if fill.pipelined and (not in_registers or operand.kind == TCGEN05):
        return (*fill.pipelined, Because("T0", "as long as the loop that is pipelined"))
    if not kernel.by_tma(fill):
        return (*at_product(operand, uses), AT_ONCE)
    if operand.kind == MMA:
        return fill.start, fill.end, Because("T0", "at its copy alone: mma takes it from registers")
    if turned_copies(operand, fill.num_stages):
        read = first_read(name, fill, kernel)
        return fill.start, read.start, Because("T0", "until it is copied once more for its product")
    return fill.start, uses[-1].end, Because("T0", "from its copy to its product")


def at_product(operand: Operand, uses: list[Place]) -> tuple[int, int]:
    """The slots of the products that read it; half of one where it is cast, one operand after the other."""
    start, end = uses[0].start, uses[-1].end
    if not operand.cast or len(uses) > 1:
        return start, end
    return (start, start + 1) if operand.gemm.a == operand.buffer.name else (start + 1, end)


def small_buffers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """T2: a small tile of tcgen05 once more, where its loop is pipelined: the product may not have ended.

    As compiled in 16 configurations of `tests/data/triton_programs.jsonl`.
    """
    for name in kernel.buffers:
        operand, fill = kernel.operand(name), kernel.fill(name)
        if operand is None or fill is None or kernel.by_tma(fill) or not kernel.is_beside(name):
            continue
        if operand.kind == TCGEN05 and operand.is_small and fill.pipelined:
            first = operand_buffer(operand, fill, kernel)
            why = Because("T2", "tcgen05 may still read the tile of the iteration before")
            yield first._replace(name=f"{name}_again", why_exists=why)


def first_read(name: str, fill: Place, kernel: Kernel) -> Place:
    """The first statement that touches a buffer after its copy."""
    return next(place for place in touching(name, kernel.places) if place.start >= fill.end)


def turned_buffers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """T5: a descriptor's tile once more, with K innermost."""
    for name in kernel.buffers:
        operand, fill = kernel.operand(name), kernel.fill(name)
        if operand is None or fill is None or not kernel.by_tma(fill):
            continue
        for number in range(1, turned_copies(operand, fill.num_stages) + 1):
            span = (first_read(name, fill, kernel).start, kernel.uses(name)[-1].end)
            if operand.kind != WGMMA and fill.pipelined:
                span = fill.pipelined
            yield LoweredBuffer(
                f"{name}_turned" if number == 1 else f"{name}_turned__{number}",
                1,
                operand.buffer.bytes,
                swizzle(operand.k_row),
                *span,
                Because("T5", "one version"),
                Because("T0", "at its product" if operand.kind == WGMMA else "as long as its loop"),
                Because("T3", f"with rows of {operand.k_row} B"),
                Because("T5", f"{operand.kind} reads {operand.bits}-bit operands with K innermost only"),
            )
