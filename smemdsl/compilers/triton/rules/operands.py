"""Buffers of what dots read: versions, lives and alignments by how the tile is loaded."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.compilers.triton.rules import alignment, liveness, register_copies, transposed_tiles
from smemdsl.compilers.triton.rules.alignment import swizzle
from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.liveness import first_read, life
from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.positions import Place
from smemdsl.compilers.triton.rules.register_copies import stays_in_registers
from smemdsl.compilers.triton.rules.target import TCGEN05, WGMMA
from smemdsl.compilers.triton.rules.transposed_tiles import transposed_copies
from smemdsl.compilers.triton.rules.versions import versions
from smemdsl.program.lowered import LoweredBuffer


def operand_buffer(operand: Operand, fill: Place, kernel: Kernel) -> LoweredBuffer:
    """The buffer of an operand that a copy or load fills."""
    name, by_tma = operand.buffer.name, kernel.by_tma(fill)
    beside = kernel.is_pipelined_operand(name)
    count, why = versions(fill.num_stages if beside else 0, operand.kind)
    staged = fill.num_stages > 1 or not operand.async_copies
    kept = stays_in_registers(operand) if beside and not by_tma and staged else None
    size = operand.buffer.bytes
    if kept:
        count, why = 1, kept
        size = size * operand.cast_bits // operand.bits
    elif by_tma and count > 1 and transposed_copies(operand, count) and operand.kind == WGMMA:
        count, why = (
            count - 1,
            transposed_tiles.RULE.because("it is copied once more before wgmma reads it: num_stages - 1"),
        )
    start, end, why_live = life(operand, fill, kernel, in_registers=kept is not None)
    align, why_align = alignment.alignment(operand, by_tma=by_tma)
    return LoweredBuffer(name, count, count * size, align, start, end, why, why_live, why_align)


def small_buffers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """A small tile of tcgen05 once more, where its loop is pipelined: the dot may not have ended.

    As compiled in 16 configurations of `tests/data/triton_programs.jsonl`.
    """
    for name in kernel.buffers:
        operand, fill = kernel.operand(name), kernel.fill(name)
        if operand is None or fill is None or kernel.by_tma(fill) or not kernel.is_pipelined_operand(name):
            continue
        if operand.kind == TCGEN05 and operand.is_small and fill.pipelined:
            first = operand_buffer(operand, fill, kernel)
            why = register_copies.RULE.because("tcgen05 may still read the tile of the iteration before")
            yield first._replace(name=f"{name}_again", why_exists=why)


def transposed_buffers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """A descriptor's tile once more, with K innermost."""
    for name in kernel.buffers:
        operand, fill = kernel.operand(name), kernel.fill(name)
        if operand is None or fill is None or not kernel.by_tma(fill):
            continue
        for number in range(1, transposed_copies(operand, fill.num_stages) + 1):
            span = (first_read(name, fill, kernel).start, kernel.uses(name)[-1].end)
            if operand.kind != WGMMA and fill.pipelined:
                span = fill.pipelined
            yield LoweredBuffer(
                f"{name}_turned" if number == 1 else f"{name}_turned__{number}",
                1,
                operand.buffer.bytes,
                swizzle(operand.k_row),
                *span,
                transposed_tiles.RULE.because("one version"),
                liveness.RULE.because("at its dot" if operand.kind == WGMMA else "as long as its loop"),
                alignment.RULE.because(f"with rows of {operand.k_row} B"),
                transposed_tiles.RULE.because(
                    f"{operand.kind} reads {operand.bits}-bit operands with K innermost only"
                ),
            )
