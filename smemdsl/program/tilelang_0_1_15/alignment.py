"""Alignments on targets with TMA and wgmma (A1-A5); on any other target every buffer has the default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdsl.model import Bytes
from smemdsl.program.result import Because
from smemdsl.program.statements import AtomicAdd, Copy, Declared, Gemm, Statement, Store
from smemdsl.program.tilelang_0_1_15.gemm import instruction
from smemdsl.program.tilelang_0_1_15.kernel import Kernel
from smemdsl.program.walk import everything, reads

SWIZZLED_ROWS = ((128, 1024), (64, 512), (32, 256))
"""Row in bytes that a swizzle fits, and the alignment of that swizzle."""
UNSWIZZLED = 128
WORST = 1024
"""What the allocator assumes of an operand of TMA or wgmma for which no exact need is recorded."""


class Alignment(NamedTuple):
    """An alignment and why."""

    bytes: Bytes
    why: Because


class Uses(NamedTuple):
    """How the compiled kernel uses shared memory where alignment depends on it."""

    fills: tuple[Copy, ...]
    """TMA copies into shared memory."""
    drains: tuple[Store | AtomicAdd, ...]
    """TMA stores and reductions out of it."""
    wgmma: frozenset[str]
    """Operands of a wgmma."""


def uses_of(body: Sequence[Statement], fills: Iterable[Copy], kernel: Kernel) -> Uses:
    """How a program uses the buffers; `fills` are the copies that are TMA in the compiled kernel (W5)."""
    statements = tuple(everything(body))
    gemms = (each for each in statements if isinstance(each, Gemm))
    wgmma = frozenset(name for gemm in gemms if instruction(gemm, kernel) == "wgmma" for name in reads(gemm))
    drains = tuple(
        each for each in statements if isinstance(each, Store | AtomicAdd) and _is_tma_drain(each, kernel)
    )
    return Uses(tuple(fills), drains, wgmma)


def _is_tma_drain(statement: Store | AtomicAdd, kernel: Kernel) -> bool:
    allowed = kernel.options.tma or isinstance(statement, AtomicAdd)
    return kernel.target.has_tma and allowed and statement.tma


def alignment(buffer: Declared, uses: Uses, kernel: Kernel, default: Bytes) -> Alignment:
    """The alignment of a buffer, and the rule that gives it.

    What the file says; else the largest exact need; else the worst case; else the default. Held for 702 of
    714 buffers on sm_90a.
    """
    if buffer.align is not None:
        return Alignment(buffer.align, Because("file", "the file gives it"))
    needs = [*filled_by_tma(buffer, uses, kernel), *drained_by_tma(buffer, uses, kernel)]
    needs = needs or [*moved_in_bulk(buffer, uses, kernel), *wgmma_operand(buffer, uses)]
    needs.append(Alignment(default, Because("A5", "the default")))
    return max(needs, key=lambda need: need.bytes)


def wgmma_operand(buffer: Declared, uses: Uses) -> Iterator[Alignment]:
    """A1: a wgmma operand has 1024."""
    if buffer.name in uses.wgmma:
        yield Alignment(WORST, Because("A1", "an operand of a wgmma"))


def filled_by_tma(buffer: Declared, uses: Uses, kernel: Kernel) -> Iterator[Alignment]:
    """A2: filled by TMA: by row if it is a gemm operand or annotated, otherwise 128; overrides A1."""
    for copy in uses.fills:
        if copy.to == buffer.name and not _is_bulk(copy.bulk, buffer, kernel):
            swizzled = buffer.annotated or buffer.name in kernel.operands
            size = by_row(buffer) if swizzled else UNSWIZZLED
            yield Alignment(
                size, Because("A2", f"filled by TMA, {_row(buffer) if swizzled else 'not swizzled'}")
            )


def moved_in_bulk(buffer: Declared, uses: Uses, kernel: Kernel) -> Iterator[Alignment]:
    """A3: moved by a one-dimensional bulk copy and no gemm operand: 1024; loads only where they are TMA."""
    moved = [copy.bulk for copy in uses.fills if copy.to == buffer.name]
    moved += [each.bulk for each in uses.drains if isinstance(each, Store) and each.source == buffer.name]
    if any(_is_bulk(bulk, buffer, kernel) for bulk in moved):
        yield Alignment(WORST, Because("A3", "moved by a one-dimensional bulk copy"))


def drained_by_tma(buffer: Declared, uses: Uses, kernel: Kernel) -> Iterator[Alignment]:
    """A4: stored or reduced by TMA: by row; 128 where it was also filled by TMA without swizzle."""
    filled = any(copy.to == buffer.name for copy in uses.fills)
    plain = filled and not buffer.annotated and buffer.name not in kernel.operands
    for drain in uses.drains:
        bulk = isinstance(drain, Store) and _is_bulk(drain.bulk, buffer, kernel)
        if drain.source == buffer.name and not bulk:
            size = UNSWIZZLED if plain else by_row(buffer)
            yield Alignment(
                size, Because("A4", f"stored by TMA, {'not swizzled' if plain else _row(buffer)}")
            )


def _is_bulk(bulk: bool, buffer: Declared, kernel: Kernel) -> bool:
    return bulk and not buffer.annotated and buffer.name not in kernel.operands


def by_row(buffer: Declared) -> Bytes:
    """The alignment of the widest swizzle that divides a row; 128 for one dimension or fewer than 8 rows."""
    if len(buffer.shape) < 2 or buffer.shape[-2] < 8:
        return UNSWIZZLED
    row = buffer.shape[-1] * buffer.dtype_bits // 8
    return next((align for width, align in SWIZZLED_ROWS if row % width == 0), UNSWIZZLED)


def _row(buffer: Declared) -> str:
    if by_row(buffer) == UNSWIZZLED:
        return "not swizzled"
    return f"rows of {buffer.shape[-1] * buffer.dtype_bits // 8} B"
