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
    events: list[tuple[int, int, int]] = []
    for index, (name, _, align, start, end) in enumerate(buffers):
        if offsets[index] < 0 or offsets[index] % align:
            return f"{name} at offset {offsets[index]} is not aligned to {align} B"
        events += (start, 1, index), (end, 0, index)
    events.sort()  # at one slot, what dies leaves before what is born comes
    live: list[tuple[int, int]] = []  # (offset, index), sorted; no two of them share a byte
    total = 0
    for slot, born, index in events:
        buffer, entry = buffers[index], (offsets[index], index)
        at = bisect_left(live, entry)
        if not born:
            total -= buffer.bytes
            del live[at]
            continue
        total += buffer.bytes
        if total > arena:
            return f"the arena of {arena} B is below the peak: {total} B are live at slot {slot}"
        if offsets[index] + buffer.bytes > arena:
            return f"{buffer.name} ends at {offsets[index] + buffer.bytes} B, past the arena of {arena} B"
        for offset, other in live[max(at - 1, 0) : at + 1]:  # the nearest below and above
            if offset < offsets[index] + buffer.bytes and offsets[index] < offset + buffers[other].bytes:
                return f"{buffers[other].name} and {buffer.name} share bytes and are both live at slot {slot}"
        live.insert(at, entry)
    return None
