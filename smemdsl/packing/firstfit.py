"""Greedy by size: the largest buffer first, each as low as it can go.

What TensorFlow Lite's arena planner does, and the baseline that work on memory planning compares with.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from itertools import chain

from smemdsl.core.buffers import Buffer, Bytes, Packing, Slot
from smemdsl.packing.arithmetic import align_up, highest_end
from smemdsl.packing.lives import ByLife

Tenant = tuple[Bytes, Bytes, Slot, Slot]
"""A placed buffer: its bytes, [first, past), and its life, [start, end)."""


class TenantChunk:
    """Some tenants that follow each other by offset, and how much room they leave each other."""

    def __init__(self, tenants: list[Tenant]) -> None:
        self.tenants = tenants
        self.past = max(tenant[1] for tenant in tenants)
        self._last_born = max(tenant[2] for tenant in tenants)
        self._first_dead = min(tenant[3] for tenant in tenants)
        self._room: dict[Bytes, Bytes] = {}
        """By alignment: what fits between two of them is no larger."""

    def add(self, tenant: Tenant) -> None:
        """Put one where it belongs."""
        first, past, start, end = tenant
        if tenant > self.tenants[-1]:
            self._widen(self.past, first)
        elif tenant < self.tenants[0]:
            self._widen(past, self.tenants[0][0])
        self.past = max(self.past, past)
        self._last_born = max(self._last_born, start)
        self._first_dead = min(self._first_dead, end)
        insort(self.tenants, tenant)

    def _widen(self, floor: Bytes, first: Bytes) -> None:
        for align, room in self._room.items():
            self._room[align] = max(room, first - align_up(floor, align))

    def blocks(self, buffer: Buffer) -> bool:
        """Whether all of them are live with the buffer, and leave each other less room than it needs."""
        _, size, align, start, end = buffer
        if self._last_born >= end or self._first_dead <= start:
            return False
        if align not in self._room:
            self._room[align] = self._widest(align)
        return size > self._room[align]

    def _widest(self, align: Bytes) -> Bytes:
        widest, floor = 0, self.tenants[0][1]
        for first, past, _, _ in self.tenants:
            if first > floor:
                widest = max(widest, first - align_up(floor, align))
            floor = max(floor, past)
        return widest

    def forget(self, align: Bytes) -> None:
        """Work out anew how much room there is: what was taken for room did not suffice."""
        self._room.pop(align, None)


class InOrder:
    """Tenants by offset, in chunks that are short enough to insert into."""

    _CHUNK = 1000

    def __init__(self) -> None:
        self._chunks: list[TenantChunk] = []
        self._bounds: list[Tenant] = []
        """The greatest tenant of each chunk but the last."""
        self._found: dict[tuple[Bytes, Bytes], tuple[Bytes, Slot, Slot]] = {}
        """By size and alignment: where the last went, and its life; one that lives longer goes higher."""
        self.count = 0

    def add(self, tenant: Tenant) -> None:
        """Put one where it belongs; a chunk that has grown too long is cut in two."""
        self.count += 1
        if not self._chunks:
            self._chunks.append(TenantChunk([tenant]))
            return
        at = bisect_left(self._bounds, tenant)
        self._chunks[at].add(tenant)
        tenants = self._chunks[at].tenants
        if len(tenants) > self._CHUNK:
            half = len(tenants) // 2
            self._chunks[at : at + 1] = TenantChunk(tenants[:half]), TenantChunk(tenants[half:])
            self._bounds.insert(at, tenants[half - 1])

    def lowest(self, buffer: Buffer) -> Bytes:
        """The lowest aligned offset at which a buffer meets none of them."""
        _, size, align, start, end = buffer
        floor, born, dies = self._found.get((size, align), (0, start, end))
        if start > born or end < dies:
            floor = 0
        for chunk in self._chunks:
            if chunk.past <= floor:
                continue
            if chunk.blocks(buffer) and align_up(floor, align) + size > chunk.tenants[0][0]:
                floor = chunk.past
                continue
            floor, fits = _climb(chunk.tenants, buffer, floor)
            if fits:
                break
            chunk.forget(align)
        offset = align_up(floor, align)
        self._found[size, align] = offset, start, end
        return offset


class Tenants:
    """The placed buffers, listed by offset and found by life."""

    def __init__(self, starts: Iterable[Slot]) -> None:
        self._by_life = ByLife[Tenant](starts)
        self._by_offset = InOrder()

    def put(self, buffer: Buffer) -> Bytes:
        """The lowest aligned offset at which a buffer meets none of them, and from then on one of them.

        Those that are live with it are sorted by offset, or all are looked at where that is less work.
        """
        _, size, align, start, end = buffer
        first, past = self._by_life.span(start, end)
        looks = past - first
        if 8 * looks < self._by_offset.count:
            there = self._by_life.meeting(first, past)
            looks += sum(map(len, there))
        if 8 * looks < self._by_offset.count:
            floor, _ = _climb(sorted(chain.from_iterable(there)), buffer, 0)
            offset = align_up(floor, align)
        else:
            offset = self._by_offset.lowest(buffer)
        tenant = offset, offset + size, start, end
        self._by_offset.add(tenant)
        self._by_life.add(tenant, first, past)
        return offset


def place(buffers: Sequence[Buffer], _align: Bytes) -> Packing:
    """Take buffers by size, descending, start, file order; give each the lowest aligned offset that is free.

    The arena is the highest end, unrounded.
    """
    tenants = Tenants(buffer.start for buffer in buffers)
    offsets = [0] * len(buffers)
    for index in sorted(range(len(buffers)), key=lambda index: (-buffers[index].bytes, buffers[index].start)):
        offsets[index] = tenants.put(buffers[index])
    return Packing(tuple(offsets), highest_end(buffers, offsets))


def _climb(tenants: Iterable[Tenant], buffer: Buffer, floor: Bytes) -> tuple[Bytes, bool]:
    """The end of those tenants, which come by offset, above which the buffer fits; whether below another."""
    _, size, align, start, end = buffer
    for first, past, born, dies in tenants:
        if past > floor and born < end and start < dies:
            if first - floor >= size and align_up(floor, align) + size <= first:
                return floor, True
            floor = past
    return floor, False
