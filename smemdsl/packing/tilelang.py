"""What TileLang does: a linear scan in order of start, with a best-fit free list.

The rule is that of `LinearScanPack` in `src/transform/merge_shared_memory_allocations.cc`, TileLang 0.1.15.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from smemdsl.model import Buffer, Bytes, Packing
from smemdsl.packing.arithmetic import align_up


class FreeList:
    """Free blocks below the top of the arena; neighbours are always merged.

    Blocks are found by either end, to merge, and in order of (size, offset), to fit. The compiler walks one
    list; the answers are the same.
    """

    def __init__(self) -> None:
        self._end_of: dict[Bytes, Bytes] = {}
        self._start_of: dict[Bytes, Bytes] = {}
        self._by_size: list[tuple[Bytes, Bytes]] = []

    def add(self, start: Bytes, end: Bytes) -> None:
        """Make [start, end) free; an empty range is no block."""
        if start == end:
            return
        if (before := self._start_of.get(start)) is not None:
            self._remove(before, start)
            start = before
        if (after := self._end_of.get(end)) is not None:
            self._remove(end, after)
            end = after
        self._end_of[start] = end
        self._start_of[end] = start
        insort(self._by_size, (end - start, start))

    def _remove(self, start: Bytes, end: Bytes) -> None:
        del self._end_of[start], self._start_of[end]
        del self._by_size[bisect_left(self._by_size, (end - start, start))]

    def take_best_fit(self, size: Bytes, align: Bytes) -> Bytes | None:
        """Offset in the smallest block that holds `size` bytes aligned, the lowest of equals; else None."""
        by_size = self._by_size
        for index in range(bisect_left(by_size, (size, 0)), len(by_size)):
            room, start = by_size[index]
            offset = -(-start // align) * align  # align_up, in the innermost loop
            if offset + size <= start + room:
                self._remove(start, start + room)
                self.add(start, offset)
                self.add(offset + size, start + room)
                return offset
        return None

    def take_top(self, top: Bytes, align: Bytes) -> Bytes:
        """Offset at the top, or in the block that ends there if it has an aligned offset; frees the gap."""
        start = self._start_of.get(top, top)
        if align_up(start, align) < top:
            self._remove(start, top)
        else:
            start = top
        offset = align_up(start, align)
        self.add(start, offset)
        return offset


def place(buffers: Sequence[Buffer], align: Bytes) -> Packing:
    """Take buffers by start, size descending, name; free what has died; then best fit, else grow the top.

    The arena is the top rounded up to `align`. A single buffer is left alone: the compiler does not plan it.
    The compiler aligns no buffer to less than `align`; here a buffer's own alignment stands as it is given.
    """
    if len(buffers) == 1:
        return Packing((0,), buffers[0].bytes)
    turns = sorted([(b.start, -b.bytes, b.name, index) for index, b in enumerate(buffers)])
    dying = sorted([(b.end, index) for index, b in enumerate(buffers)], reverse=True)
    offsets = [0] * len(buffers)
    free = FreeList()
    top = 0
    for start, _, _, index in turns:
        while dying[-1][0] <= start:  # it ended before this one starts, so it has been placed
            _, dead = dying.pop()
            free.add(offsets[dead], offsets[dead] + buffers[dead].bytes)
        _, size, alignment, _, _ = buffers[index]
        offset = free.take_best_fit(size, alignment)
        if offset is None:
            offset = free.take_top(top, alignment)
            top = offset + size
        offsets[index] = offset
    return Packing(tuple(offsets), align_up(top, align))
