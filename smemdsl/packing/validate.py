"""The independent judge of every packing. It shares no code with what it judges."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from smemdsl.model import Buffer, Packing


def violation(buffers: Sequence[Buffer], packing: Packing) -> str | None:
    """What is wrong with a packing, in a sentence that names the buffers; None where nothing is.

    Every offset is aligned, no two buffers that are live at once share a byte, and the arena is at least the
    peak and holds each of them. All buffers have a size above 0.
    """
    offsets, arena = packing.offsets, packing.arena
    if len(offsets) != len(buffers):
        return f"{len(offsets)} offsets for {len(buffers)} buffers"
    events: list[tuple[int, int, tuple[int, int, int]]] = []
    for index, (name, size, align, start, end) in enumerate(buffers):
        offset = offsets[index]
        if offset < 0 or offset % align:
            return f"{name} at offset {offset} is not aligned to {align} B"
        span = offset, offset + size, index
        events += (start, 1, span), (end, 0, span)
    events.sort()  # at one slot, what dies leaves before what is born comes
    live: list[tuple[int, int, int]] = []  # by offset; no two of them share a byte
    total = 0
    for slot, born, span in events:
        offset, past, index = span
        at = bisect_left(live, span)
        if not born:
            total -= past - offset
            del live[at]
            continue
        total += past - offset
        if total > arena:
            return f"the arena of {arena} B is below the peak: {total} B are live at slot {slot}"
        if past > arena:
            return f"{buffers[index].name} ends at {past} B, past the arena of {arena} B"
        for start, end, other in live[max(at - 1, 0) : at + 1]:  # the nearest below and above
            if start < past and offset < end:
                names = f"{buffers[other].name} and {buffers[index].name}"
                return f"{names} share bytes and are both live at slot {slot}"
        live.insert(at, span)
    return None
