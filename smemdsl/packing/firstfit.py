"""Greedy by size: the largest buffer first, each as low as it can go.

What TensorFlow Lite's arena planner does, and the baseline that work on memory planning compares with.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from smemdsl.model import Buffer, Bytes, Packing, Slot
from smemdsl.packing.arithmetic import align_up, highest_end

Tenant = tuple[Bytes, Bytes, Slot, Slot]
"""A placed buffer: its bytes, [first, past), and its life, [start, end)."""


class Tenants:
    """The placed buffers, listed by offset and found by life.

    Those that meet a life start in it or are there when it starts. The first are a slice of all by start. The
    others lie on one path of a segment tree over starts, whose nodes list the lives that have them as a tile.
    """

    def __init__(self, starts: Iterable[Slot]) -> None:
        self._slots = sorted(set(starts))
        self._tiles: defaultdict[int, list[Tenant]] = defaultdict(list)
        self._by_start: list[tuple[Slot, Tenant]] = []
        self._by_offset: list[Tenant] = []

    def _leaf(self, slot: Slot) -> int:
        return bisect_left(self._slots, slot) + len(self._slots)

    def add(self, tenant: Tenant) -> None:
        """Add a buffer that has been placed."""
        insort(self._by_offset, tenant)
        insort(self._by_start, (tenant[2], tenant))
        low, high = self._leaf(tenant[2]), self._leaf(tenant[3])
        while low < high:
            if low & 1:
                self._tiles[low].append(tenant)
            if high & 1:
                self._tiles[high - 1].append(tenant)
            low, high = (low + 1) // 2, high // 2

    def meeting(self, start: Slot, end: Slot) -> list[Tenant]:
        """Those that are live in [start, end), by offset; or all, where sorting them would cost more."""
        leaf = self._leaf(start)
        path = [leaf >> level for level in range(leaf.bit_length())]
        there = [self._tiles[node] for node in path if node in self._tiles]
        first, past = bisect_left(self._by_start, (start + 1,)), bisect_left(self._by_start, (end,))
        if 8 * (past - first + sum(map(len, there))) > len(self._by_offset):
            return self._by_offset
        come = [tenant for _, tenant in self._by_start[first:past]]
        return sorted(come + [tenant for tenants in there for tenant in tenants])


def place(buffers: Sequence[Buffer], _align: Bytes) -> Packing:
    """Take buffers by size, descending, start, file order; give each the lowest aligned offset that is free.

    The arena is the highest end, unrounded.
    """
    tenants = Tenants(buffer.start for buffer in buffers)
    offsets = [0] * len(buffers)
    for index in sorted(range(len(buffers)), key=lambda index: (-buffers[index].bytes, buffers[index].start)):
        buffer = buffers[index]
        offset = offsets[index] = _lowest(tenants.meeting(buffer.start, buffer.end), buffer)
        tenants.add((offset, offset + buffer.bytes, buffer.start, buffer.end))
    return Packing(tuple(offsets), highest_end(buffers, offsets))


def _lowest(tenants: Iterable[Tenant], buffer: Buffer) -> Bytes:
    """The lowest aligned offset at which a buffer meets none of the tenants, which come by offset."""
    _, size, align, start, end = buffer
    floor = 0
    for first, past, born, dies in tenants:
        if past > floor and born < end and start < dies:
            if first - floor >= size and align_up(floor, align) + size <= first:
                break
            floor = past
    return align_up(floor, align)
