"""What TileLang does with reuse disabled: every buffer its own storage, in name order.

The rule is that of `PlanSequentialLayout` in TileLang 0.1.15,
`src/transform/merge_shared_memory_allocations.cc`. Name order is plain string order: `B` before `a`, `x10`
before `x9`.
"""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.core.buffers import Buffer, Bytes, Packing
from smemdsl.packing.arithmetic import align_up, in_a_row


def place(buffers: Sequence[Buffer], align: Bytes) -> Packing:
    """Lay buffers one behind the other by name, the end rounded up to `align`; a single one is left alone."""
    if len(buffers) == 1:
        return Packing((0,), buffers[0].bytes)
    by_name = sorted(range(len(buffers)), key=[buffer.name for buffer in buffers].__getitem__)
    offsets, end = in_a_row(buffers, by_name)
    return Packing(offsets, align_up(end, align))
