"""The independent judge of every packing. With what it judges it shares a sorted list, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from smemdsl.core.buffers import Buffer, Bytes, Packing, Slot
from smemdsl.packing.sorted_list import SortedList

ByteSpan = tuple[Bytes, Bytes, int]
"""The bytes that a buffer takes, [first, past), and its index."""


def violation(buffers: Sequence[Buffer], packing: Packing) -> str | None:
    """What is wrong with a packing, in a sentence that names the buffers; None where nothing is.

    Every offset is aligned, no two buffers that are live at once share a byte, and the arena is at least the
    peak and holds each of them. All buffers have a size above 0.
    """
    offsets, arena = packing.offsets, packing.arena
    if len(offsets) != len(buffers):
        return f"{len(offsets)} offsets for {len(buffers)} buffers"
    live: SortedList[ByteSpan] = SortedList()  # by offset; no two of them share a byte
    dying: list[tuple[Slot, ByteSpan]] = []
    total = 0
    for index in sorted(range(len(buffers)), key=[buffer.start for buffer in buffers].__getitem__):
        name, size, align, slot, dies = buffers[index]
        while dying and dying[0][0] <= slot:
            _, dead = heappop(dying)
            live.remove(dead)
            total -= dead[1] - dead[0]
        span = offset, past, _ = offsets[index], offsets[index] + size, index
        if offset < 0 or offset % align:
            return f"{name} at offset {offset} is not aligned to {align} B"
        total += size
        if total > arena:
            return f"the arena of {arena} B is below the peak: {total} B are live at slot {slot}"
        if past > arena:
            return f"{name} ends at {past} B, past the arena of {arena} B"
        for near in live.insert(span):
            if near is not None and near[0] < past and offset < near[1]:
                names = f"{buffers[near[2]].name} and {name}"
                return f"{names} share bytes and are both live at slot {slot}"
        heappush(dying, (dies, span))
    return None
