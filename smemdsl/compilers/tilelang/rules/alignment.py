"""Alignments on targets with TMA and wgmma; on any other target every buffer has the default, 16 B.

Filled or stored by TMA: what the widest swizzle needs whose rows divide the bytes that lie side by side
(1024, 512, 256 B for 128, 64, 32 B), 128 B for one dimension, fewer than 8 rows, or a buffer that no gemm
reads. Otherwise 1024 B for an operand of wgmma, for what a one-dimensional bulk copy moves, and for what the
address of a TMA copy is read from. What the file gives wins over all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.tma_uses import Uses
from smemdsl.compilers.tilelang.rules.warp_partition import contiguous_elements
from smemdsl.core.buffers import Bytes
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule
from smemdsl.program.statements import Declared, Store

RULE = Rule(
    "merge-shared-memory/alignment",
    compiler="TileLang",
    passes="LowerTileOp, MergeSharedMemoryAllocations",
    source="src/cuda/op/copy.cc, src/cuda/op/tma_layout.cc, src/transform/merge_shared_memory_allocations.cc",
    since="0.1.15",
    evidence="657 of 660 buffers of the recorded programs for sm_90a",
)

SWIZZLES = ((128, 1024), (64, 512), (32, 256))
"""Bytes side by side that a swizzle needs, and its alignment; the widest first."""
UNSWIZZLED = 128
WORST = 1024
"""What the allocator assumes of an operand of TMA or wgmma for which no exact need is recorded."""


class Alignment(NamedTuple):
    """An alignment and why."""

    bytes: Bytes
    why: Provenance


def alignment(buffer: Declared, uses: Uses, kernel: Kernel, default: Bytes) -> Alignment:
    """The alignment of a buffer, and the rule that gives it.

    What the file says; else the largest exact need; else the worst case; else the default. On
    sm_90a it is what the compiler printed for 657 of 660 buffers of the recorded programs.
    """
    if buffer.align is not None:
        return Alignment(buffer.align, Provenance("file", "the file gives it"))
    needs = [*filled_by_tma(buffer, uses, kernel), *drained_by_tma(buffer, uses, kernel)]
    needs = needs or [*moved_in_bulk(buffer, uses, kernel), *wgmma_operand(buffer, uses)]
    needs = needs or [*address_of_tma(buffer, uses)]
    needs.append(Alignment(default, RULE.because("the default")))
    return max(needs, key=lambda need: need.bytes)


def wgmma_operand(buffer: Declared, uses: Uses) -> Iterator[Alignment]:
    """A wgmma operand has 1024."""
    if buffer.name in uses.wgmma:
        yield Alignment(WORST, RULE.because("an operand of a wgmma"))


def address_of_tma(buffer: Declared, uses: Uses) -> Iterator[Alignment]:
    """Read for the address of a TMA copy: 1024, as the allocator marks all that stands in the call.

    As compiled for `begin=True` of `tests/oracle/kernels/launches.py`, whose loop begins at a shared value.
    """
    if buffer.name in uses.addresses:
        yield Alignment(WORST, RULE.because("read for the address of a TMA copy"))


def filled_by_tma(buffer: Declared, uses: Uses, kernel: Kernel) -> Iterator[Alignment]:
    """Filled by TMA: by row if it is a gemm operand or annotated, otherwise 128; wins over wgmma's need."""
    for copy in uses.fills:
        if copy.to == buffer.name and not is_bulk(copy.bulk, buffer, kernel):
            yield swizzled(
                buffer, uses, kernel, RULE.because("filled by TMA"), plain=not has_layout(buffer, kernel)
            )


def moved_in_bulk(buffer: Declared, uses: Uses, kernel: Kernel) -> Iterator[Alignment]:
    """Moved by a one-dimensional bulk copy and no gemm operand: 1024; loads only where they are TMA."""
    moved = [copy.bulk for copy in uses.fills if copy.to == buffer.name]
    moved += [each.bulk for each in uses.drains if isinstance(each, Store) and each.source == buffer.name]
    if any(is_bulk(bulk, buffer, kernel) for bulk in moved):
        yield Alignment(WORST, RULE.because("moved by a one-dimensional bulk copy"))


def drained_by_tma(buffer: Declared, uses: Uses, kernel: Kernel) -> Iterator[Alignment]:
    """Stored or reduced by TMA: by row, also where TMA filled it.

    As compiled for 11 shapes, each with and without a TMA fill (`tests/program/test_program_rules.py`).
    """
    for drain in uses.drains:
        bulk = isinstance(drain, Store) and is_bulk(drain.bulk, buffer, kernel)
        if drain.source == buffer.name and not bulk:
            yield swizzled(buffer, uses, kernel, RULE.because("stored by TMA"))


def has_layout(buffer: Declared, kernel: Kernel) -> bool:
    """Whether its layout is fixed apart from TMA: annotated, or an operand of a gemm on tensor cores.

    sm_75 has none for 32-bit types, and its scalar gemm asks for no layout.
    """
    scalar = kernel.target.sm == 75 and buffer.dtype_bits > 16
    return buffer.annotated or (buffer.name in kernel.operands and not scalar)


def is_bulk(bulk: bool, buffer: Declared, kernel: Kernel) -> bool:
    """Whether a copy is a one-dimensional bulk copy: a buffer with a layout cannot be moved by one."""
    return bulk and not has_layout(buffer, kernel)


def swizzled(
    buffer: Declared, uses: Uses, kernel: Kernel, why: Provenance, *, plain: bool = False
) -> Alignment:
    """The alignment of the widest swizzle that fits; 128 for one dimension or fewer than 8 rows.

    Where several wgmmas read the buffer, of the widest that fits each: the narrowest of theirs, whichever
    comes first (as compiled in the 24 kernels of `tests/program/test_gemm_rules.py` that have two).
    """
    if plain or len(buffer.shape) < 2 or buffer.shape[-2] < 8:
        return Alignment(UNSWIZZLED, why._replace(text=f"{why.text}, not swizzled"))
    align, width = min((swizzle(width), width) for width in row_bytes(buffer, uses, kernel))
    return Alignment(align, why._replace(text=f"{why.text}, {width} B side by side"))


def swizzle(width: Bytes) -> Bytes:
    """The alignment of the widest swizzle whose rows divide a width."""
    return next((align for needed, align in SWIZZLES if width % needed == 0), UNSWIZZLED)


def row_bytes(buffer: Declared, uses: Uses, kernel: Kernel) -> list[Bytes]:
    """Bytes that lie side by side: what each wgmma that reads the buffer takes, else a row of it."""
    gemms = uses.wgmma.get(buffer.name, ())
    elements = [contiguous_elements(gemm, buffer.name, kernel) for gemm in gemms] or [buffer.shape[-1]]
    return [count * buffer.dtype_bits // 8 for count in elements]
