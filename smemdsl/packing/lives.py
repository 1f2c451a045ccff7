"""Indexes over live ranges, for rules that ask which buffers lie in, or clash over, an interval."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import chain
from typing import Generic, TypeVar

from smemdsl.core.buffers import Buffer, Bytes, Slot

T = TypeVar("T")


class Unplaced:
    """The buffers that have no offset yet. A tree over their starts has the least rank of each stretch.

    A buffer's rank is its place in the sequence.
    """

    def __init__(self, ranked: Sequence[Buffer]) -> None:
        self.count = self._none = len(ranked)
        by_start = sorted(range(len(ranked)), key=lambda rank: ranked[rank].start)
        self._starts = [ranked[rank].start for rank in by_start]
        self._ends = [buffer.end for buffer in ranked]
        self._leaf = {rank: self._none + at for at, rank in enumerate(by_start)}
        self._least = [self._none] * self._none + by_start
        for node in range(self._none - 1, 0, -1):
            self._least[node] = min(self._least[2 * node], self._least[2 * node + 1])

    def remove(self, rank: int) -> None:
        """Drop the buffer of this rank."""
        self.count -= 1
        node, least = self._leaf[rank], self._least
        least[node] = self._none
        while node > 1:
            node //= 2
            least[node] = min(least[2 * node], least[2 * node + 1])

    def first_within(self, start: Slot, end: Slot) -> int:
        """The least rank of a life within [start, end); the number of buffers where there is none."""
        first, past = bisect_left(self._starts, start), bisect_left(self._starts, end)
        parts = [(self._first_of(first, past), first, past)]
        while parts:
            rank, first, past = heappop(parts)
            if rank == self._none or self._ends[rank] <= end:
                return rank
            at = self._leaf[rank] - self._none  # it outlives `end`: go on with those on either side of it
            heappush(parts, (self._first_of(first, at), first, at))
            heappush(parts, (self._first_of(at + 1, past), at + 1, past))
        return self._none

    def _first_of(self, first: int, past: int) -> int:
        """The least rank at these places in the order of starts."""
        low, high, rank = first + self._none, past + self._none, self._none
        while low < high:
            if low & 1:
                rank = min(rank, self._least[low])
            if high & 1:
                rank = min(rank, self._least[high - 1])
            low, high = (low + 1) // 2, high // 2
        return rank


class ByLife(Generic[T]):
    """Items found by life: those that meet an interval start in it, or are there when it starts.

    The first are listed by start. The others lie on one path of a segment tree over starts, whose nodes list
    the lives that have them as a tile.
    """

    def __init__(self, starts: Iterable[Slot]) -> None:
        self._slots = sorted(set(starts))
        self._born: list[list[T]] = [[] for _ in self._slots]
        self._tiles: defaultdict[int, list[T]] = defaultdict(list)

    def span(self, start: Slot, end: Slot) -> tuple[int, int]:
        """The starts that lie in [start, end): the rank of the first, and one past that of the last."""
        return bisect_left(self._slots, start), bisect_left(self._slots, end)

    def add(self, item: T, first: int, past: int) -> None:
        """Add an item whose life begins at one of the starts and has this span."""
        self._born[first].append(item)
        low, high = first + len(self._slots), past + len(self._slots)
        while low < high:
            if low & 1:
                self._tiles[low].append(item)
            if high & 1:
                self._tiles[high - 1].append(item)
            low, high = (low + 1) // 2, high // 2

    def meeting(self, first: int, past: int) -> list[list[T]]:
        """Those that are live in an interval that begins at a start and has this span, in groups."""
        found = list(filter(None, self._born[first + 1 : past]))
        node, tiles = first + len(self._slots), self._tiles
        while node:
            if node in tiles:
                found.append(tiles[node])
            node >>= 1
        return found


def clashes(buffers: Sequence[Buffer], offsets: Sequence[Bytes]) -> dict[int, list[int]]:
    """Each buffer that shares a byte with another while both are live, and those others; in no order."""
    events: list[tuple[Slot, int, int]] = []
    for index, buffer in enumerate(buffers):
        events += (buffer.start, 1, index), (buffer.end, 0, index)
    events.sort()  # at one slot, what dies leaves before what is born comes
    largest = max((buffer.bytes for buffer in buffers), default=0)
    live: list[tuple[Bytes, int]] = []
    found: defaultdict[int, list[int]] = defaultdict(list)
    for _, born, index in events:
        offset = offsets[index]
        if not born:
            del live[bisect_left(live, (offset, index))]
            continue
        below, above = offset - largest, offset + buffers[index].bytes  # a clash starts between these
        for start, other in live[bisect_left(live, (below, 0)) : bisect_left(live, (above, 0))]:
            if offset < start + buffers[other].bytes:
                found[index].append(other)
                found[other].append(index)
        insort(live, (offset, index))
    return found


def clashes_of(
    moved: Sequence[int], buffers: Sequence[Buffer], offsets: Sequence[Bytes], lives: ByLife[int]
) -> dict[int, list[int]]:
    """The clashes that a moved buffer has a part in; all clashes, where looking at all is less work."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    looks = 8 * len(buffers)
    for index in moved:
        buffer, offset = buffers[index], offsets[index]
        past = offset + buffer.bytes
        first, end = lives.span(buffer.start, buffer.end)
        looks -= end - first
        if looks < 0:
            return clashes(buffers, offsets)
        groups = lives.meeting(first, end)
        looks -= sum(map(len, groups))
        if looks < 0:
            return clashes(buffers, offsets)
        for other in chain.from_iterable(groups):
            if other != index and offset < offsets[other] + buffers[other].bytes and offsets[other] < past:
                found[index].append(other)
                found[other].append(index)
    return found
