"""Greedy by size: the largest buffer first, each as low as it can go.

What TensorFlow Lite's arena planner does, and the baseline that work on memory planning compares with.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from smemdsl.model import Buffer, Bytes, Packing, Slot
from smemdsl.packing.arithmetic import align_up, highest_end
from smemdsl.packing.lives import ByLife

Tenant = tuple[Bytes, Bytes, Slot, Slot]
"""A placed buffer: its bytes, [first, past), and its life, [start, end)."""


class InOrder:
    """Tenants by offset, in blocks that are short enough to insert into."""

    _BLOCK = 1000

    def __init__(self) -> None:
        self._blocks: list[list[Tenant]] = [[]]
        self._last: list[Tenant] = []
        """The greatest tenant of each block but the last."""
        self.count = 0

    def add(self, tenant: Tenant) -> None:
        """Put one where it belongs; a block that has grown too long is cut in two."""
        at = bisect_left(self._last, tenant)
        block = self._blocks[at]
        insort(block, tenant)
        self.count += 1
        if len(block) > self._BLOCK:
            half = len(block) // 2
            self._blocks[at : at + 1] = [block[:half], block[half:]]
            self._last.insert(at, block[half - 1])

    def __iter__(self) -> Iterator[Tenant]:
        return chain.from_iterable(self._blocks)


class Tenants:
    """The placed buffers, listed by offset and found by life."""

    def __init__(self, starts: Iterable[Slot]) -> None:
        self._by_life = ByLife[Tenant](starts)
        self._by_offset = InOrder()

    def add(self, tenant: Tenant) -> None:
        """Add a buffer that has been placed."""
        self._by_offset.add(tenant)
        self._by_life.add(tenant, tenant[2], tenant[3])

    def meeting(self, start: Slot, end: Slot) -> Iterable[Tenant]:
        """Those that are live in [start, end), by offset; or all, where sorting them would cost more."""
        there = self._by_life.meeting(start, end)
        if 8 * sum(map(len, there)) > self._by_offset.count:
            return self._by_offset
        return sorted(chain.from_iterable(there))


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
