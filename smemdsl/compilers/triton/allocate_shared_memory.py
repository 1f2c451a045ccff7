"""What Triton's shared-memory allocation does: guess offsets, then push apart what clashes.

The rule is that of `calculateStarts` and `allocate` in Triton 3.9.0, `lib/Analysis/Allocation.cpp`, after
"Algorithms for Compile-Time Memory Optimization" (SODA 1999). The compiler compares everything with
everything; here indexes find the same answers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from smemdsl.core.buffers import Buffer, Bytes, Packing, Slot
from smemdsl.packing.arithmetic import align_up, highest_end
from smemdsl.packing.lives import ByLife, Unplaced, clashes, clashes_of

_FOREVER = 2**64 - 1
"""Where the compiler's interval of all time ends."""


def place(buffers: Sequence[Buffer], _align: Bytes) -> Packing:
    """Take buffers by size, descending, then file order; guess offsets; separate what clashes.

    The arena is the highest end, unrounded.
    """
    order = sorted(range(len(buffers)), key=lambda index: -buffers[index].bytes)
    ranked = [buffers[index] for index in order]
    placed = guess(ranked)
    separate(ranked, placed)
    offsets = [0] * len(buffers)
    for index, offset in zip(order, placed, strict=True):
        offsets[index] = offset
    return Packing(tuple(offsets), highest_end(buffers, offsets))


class Openings:
    """Where a buffer may go next: offsets, each open for an interval. The compiler calls them triples."""

    def __init__(self) -> None:
        self._by_offset: list[tuple[Bytes, int, Slot, Slot]] = []
        self._starts: list[Slot] = []
        self._ends: list[Slot] = []
        self._added = 0

    def add(self, offset: Bytes, start: Slot, end: Slot) -> None:
        """Open an offset for [start, end), after the openings at the same offset."""
        heappush(self._by_offset, (offset, self._added, start, end))
        self._added += 1
        insort(self._starts, start)
        insort(self._ends, end)

    def take_lowest(self) -> tuple[Bytes, Slot, Slot]:
        """Remove the opening with the lowest offset, the first added of equals."""
        offset, _, start, end = heappop(self._by_offset)
        del self._starts[bisect_left(self._starts, start)]
        del self._ends[bisect_left(self._ends, end)]
        return offset, start, end

    def gaps(self, start: Slot, end: Slot) -> Iterator[tuple[Slot, Slot]]:
        """Of the times that no opening covers, as whole as they are, those that meet [start, end)."""
        for before in range(bisect_right(self._starts, start), bisect_left(self._ends, end) + 1):
            opens = self._ends[before - 1] if before else 0
            shuts = self._starts[before] if before < len(self._starts) else _FOREVER
            if opens < shuts:  # as many have ended as have started
                yield opens, shuts


def guess(ranked: Sequence[Buffer]) -> list[Bytes]:
    """Offsets for buffers by rank, as low as openings allow. Some may clash.

    The lowest opening goes to the first buffer that meets it and no other. Every unplaced buffer meets some
    opening, so when the lowest is taken off, these are the buffers that lie in a gap between the others.
    """
    openings = Openings()
    openings.add(0, 0, _FOREVER)
    unplaced = Unplaced(ranked)
    offsets = [0] * len(ranked)
    while unplaced.count:
        base, start, end = openings.take_lowest()
        rank = min((unplaced.first_within(*gap) for gap in openings.gaps(start, end)), default=len(ranked))
        if rank == len(ranked):
            continue
        unplaced.remove(rank)
        buffer = ranked[rank]
        offsets[rank] = align_up(base, buffer.align)
        openings.add(offsets[rank] + buffer.bytes, max(start, buffer.start), min(end, buffer.end))
        if start < buffer.start:
            openings.add(base, start, buffer.end)
        if buffer.end < end:
            openings.add(base, buffer.start, end)
    return offsets


def separate(ranked: Sequence[Buffer], offsets: list[Bytes]) -> None:
    """Move buffers up, in place and in order of rank, until none clash.

    Those that clash are coloured first-fit; all but colour 0 move on top of the highest they clash with. Two
    of colour 0 do not clash, so after a round every clash has a part that moved.
    """
    neighbours = clashes(ranked, offsets)
    if not neighbours:
        return
    lives = ByLife[int](buffer.start for buffer in ranked)
    for rank, buffer in enumerate(ranked):
        lives.add(rank, *lives.span(buffer.start, buffer.end))
    while neighbours:
        colours: dict[int, int] = {}
        for rank in sorted(neighbours):
            taken = {colours[other] for other in neighbours[rank] if other in colours}
            colours[rank] = next(colour for colour in range(len(taken) + 1) if colour not in taken)
        moved = [rank for rank in sorted(neighbours) if colours[rank]]
        for rank in moved:
            top = max(offsets[other] + ranked[other].bytes for other in neighbours[rank])
            offsets[rank] = align_up(top, ranked[rank].align)
        neighbours = clashes_of(moved, ranked, offsets, lives)
