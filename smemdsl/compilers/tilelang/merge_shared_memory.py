"""What TileLang does: a linear scan in order of start, with a best-fit free list.

The rule is that of `LinearScanPack` in `src/transform/merge_shared_memory_allocations.cc`, TileLang 0.1.15.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from smemdsl.core.buffers import Buffer, Bytes, Packing, Slot
from smemdsl.packing.arithmetic import align_up
from smemdsl.packing.sorted_list import SortedList

Block = tuple[Bytes, Bytes]
"""A free block: its size, and where it starts."""


class Aligned:
    """Free blocks by what they hold at one alignment."""

    def __init__(self, align: Bytes) -> None:
        self._align = align
        self._by_room: SortedList[tuple[Bytes, Bytes, Bytes]] = SortedList()

    def add(self, block: Block) -> None:
        """List a block, if it has an aligned offset inside."""
        if (room := self._room(block)) > 0:
            self._by_room.add((room, *block))

    def remove(self, block: Block) -> None:
        """Drop a block that is listed if it has an aligned offset inside."""
        if (room := self._room(block)) > 0:
            self._by_room.remove((room, *block))

    def best_fit(self, size: Bytes) -> Block | None:
        """The smallest block that holds `size` bytes aligned, the lowest of equals.

        Of blocks with the same room the first is the best; none is smaller than its room. So there are no
        more looks than there are rooms within one alignment.
        """
        best: Block | None = None
        entries = self._by_room.since((size,), 1)
        while entries and (best is None or entries[0][0] <= best[0]):
            room, *block = entries[0]
            best = min(best or (block[0], block[1]), (block[0], block[1]))
            entries = self._by_room.since((room + 1,), 1)
        return best

    def _room(self, block: Block) -> Bytes:
        size, start = block
        return start + size - align_up(start, self._align)


class FreeList:
    """Free blocks below the top of the arena; neighbours are always merged.

    Blocks are found by either end, to merge, and in order of (size, offset), to fit. The compiler walks one
    list; the answers are the same.
    """

    _LOOKS = 16
    """Blocks to look at that are large enough but for their alignment, before they are listed by it."""

    def __init__(self) -> None:
        self._end_of: dict[Bytes, Bytes] = {}
        self._start_of: dict[Bytes, Bytes] = {}
        self._by_size: SortedList[Block] = SortedList()
        self._aligned: dict[Bytes, Aligned] = {}

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
        block = end - start, start
        self._by_size.add(block)
        if self._aligned:
            for aligned in self._aligned.values():
                aligned.add(block)

    def _remove(self, start: Bytes, end: Bytes) -> None:
        del self._end_of[start], self._start_of[end]
        block = end - start, start
        self._by_size.remove(block)
        if self._aligned:
            for aligned in self._aligned.values():
                aligned.remove(block)

    def take_best_fit(self, size: Bytes, align: Bytes) -> Bytes | None:
        """Offset in the smallest block that holds `size` bytes aligned, the lowest of equals; else None."""
        if not self._end_of:
            return None
        blocks = self._by_size.since((size,), self._LOOKS)
        for room, start in blocks:
            offset = -(-start // align) * align  # align_up, in the innermost loop
            if offset + size <= start + room:
                break
        else:
            block = self._by(align).best_fit(size) if len(blocks) == self._LOOKS else None
            if block is None:
                return None
            room, start = block
            offset = align_up(start, align)
        self._remove(start, start + room)
        if start < offset:
            self.add(start, offset)
        if size < room:
            self.add(offset + size, start + room)
        return offset

    def _by(self, align: Bytes) -> Aligned:
        """The blocks by what they hold at an alignment; kept up to date from the first time on."""
        if align not in self._aligned:
            self._aligned[align] = Aligned(align)
            for block in self._by_size:
                self._aligned[align].add(block)
        return self._aligned[align]

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
    turns = [(b.start, -b.bytes, b.name, index, b.align, b.end) for index, b in enumerate(buffers)]
    turns.sort()
    dying: list[tuple[Slot, Bytes, Bytes]] = []
    offsets = [0] * len(buffers)
    free = FreeList()
    top = 0
    for start, negative, _, index, alignment, end in turns:
        while dying and dying[0][0] <= start:
            _, first, past = heappop(dying)
            free.add(first, past)
        offset = free.take_best_fit(-negative, alignment)
        if offset is None:
            offset = free.take_top(top, alignment)
            top = offset - negative
        offsets[index] = offset
        heappush(dying, (end, offset, offset - negative))
    return Packing(tuple(offsets), align_up(top, align))
