"""Who shares storage with whom, and where it changes hands. Buffers of 0 bytes have no part in either."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes, Slot


class StorageGroup(NamedTuple):
    """Two or more buffers that share storage, each directly with some other of them."""

    start: Bytes
    """The lowest offset among them."""
    end: Bytes
    """The highest end."""
    members: tuple[int, ...]
    """Their indexes, ascending."""


class StorageReuse(NamedTuple):
    """Storage changes owner: a barrier belongs between the last use by the old and the first by the new."""

    slot: Slot
    """The slot at which the new owner's life starts."""
    buffer: int
    """Index of the new owner."""
    previous: tuple[int, ...]
    """Indexes of the buffers that had its bytes last, ascending."""


def overlaps(one: Buffer, offset: Bytes, other: Buffer, other_offset: Bytes) -> bool:
    """Whether two buffers at these offsets have a byte in common, whenever they are live."""
    return max(offset, other_offset) < min(offset + one.bytes, other_offset + other.bytes)


def storage_groups(buffers: Sequence[Buffer], offsets: Sequence[Bytes]) -> tuple[StorageGroup, ...]:
    """The groups of buffers that share storage, directly or through others, by offset."""
    groups: list[tuple[Bytes, Bytes, list[int]]] = []
    for index in sorted((i for i, b in enumerate(buffers) if b.bytes), key=offsets.__getitem__):
        start, end = offsets[index], offsets[index] + buffers[index].bytes
        if groups and start < groups[-1][1]:
            first, past, members = groups[-1]
            members.append(index)
            groups[-1] = first, max(past, end), members
        else:
            groups.append((start, end, [index]))
    return tuple(StorageGroup(start, end, tuple(sorted(of))) for start, end, of in groups if len(of) > 1)


def hand_overs(buffers: Sequence[Buffer], offsets: Sequence[Bytes]) -> tuple[StorageReuse, ...]:
    """Where a buffer takes bytes that another had before, by slot, then index.

    Only the last owner of a byte counts: one whose bytes have all been taken over since is not named again.
    """
    found = []
    owned: list[tuple[Bytes, Bytes, int]] = []  # (start, end, last owner), disjoint and in order
    for index in sorted((i for i, b in enumerate(buffers) if b.bytes), key=lambda i: buffers[i].start):
        start, end = offsets[index], offsets[index] + buffers[index].bytes
        first, past = bisect_left(owned, (start,)), bisect_left(owned, (end,))
        if first and owned[first - 1][1] > start:
            first -= 1
        taken = owned[first:past]
        left = [(s, start, owner) for s, _, owner in taken[:1] if s < start]
        right = [(end, e, owner) for _, e, owner in taken[-1:] if e > end]
        owned[first:past] = [*left, (start, end, index), *right]
        if taken:
            previous = sorted({owner for _, _, owner in taken})
            found.append(StorageReuse(buffers[index].start, index, tuple(previous)))
    return tuple(found)
