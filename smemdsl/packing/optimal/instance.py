"""One packing problem as the search wants it: small integers, and time cut down to what can matter.

Two buffers are live together exactly if some *maximal* live set (one that no other contains) has both, so
time is replaced by the indexes of those sets, in order of time. Sizes and offsets are counted in units of the
greatest number that keeps every canonical offset whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import gcd, lcm
from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes


class Instance(NamedTuple):
    """Buffers by index, with their sizes, alignments and lives in units and in indexes of live sets."""

    sizes: tuple[int, ...]
    aligns: tuple[int, ...]
    """Each divides `period`; 1 where every canonical offset is aligned anyway."""
    first: tuple[int, ...]
    """Index of the first live set that has the buffer."""
    last: tuple[int, ...]
    """Index after the last live set that has the buffer."""
    members: tuple[tuple[int, ...], ...]
    """The buffers of each live set."""
    neighbours: tuple[tuple[int, ...], ...]
    """For each buffer, the others that are live together with it."""
    loads: tuple[int, ...]
    """Sum of the sizes of each live set."""
    period: int
    """Least common multiple of the alignments."""
    unit: Bytes
    """Bytes in a unit."""


def common_unit(buffers: Sequence[Buffer]) -> Bytes:
    """The greatest number that divides every size, and that every alignment divides or is a multiple of.

    A canonical offset is 0 or an aligned sum of such sizes, so the number divides every canonical offset.
    """
    unit = gcd(*(buffer.bytes for buffer in buffers))
    while True:
        finer = unit
        for buffer in buffers:
            if finer % buffer.align:
                finer = gcd(finer, buffer.align)
        if finer == unit:
            return unit
        unit = finer


def live_set_starts(buffers: Sequence[Buffer]) -> list[int]:
    """One slot of every maximal live set, in order: the last start before some buffer's end."""
    starts = {buffer.start for buffer in buffers}
    ends = {buffer.end for buffer in buffers}
    found: list[int] = []
    latest: int | None = None
    for slot in sorted(starts | ends):
        if slot in ends and latest is not None:
            found.append(latest)
            latest = None
        if slot in starts:
            latest = slot
    return found


def build(buffers: Sequence[Buffer]) -> Instance:
    """The instance that these buffers make; there is at least one, and none of 0 bytes."""
    unit = common_unit(buffers)
    slots = live_set_starts(buffers)
    first = tuple(bisect_left(slots, buffer.start) for buffer in buffers)
    last = tuple(bisect_left(slots, buffer.end) for buffer in buffers)
    sizes = tuple(buffer.bytes // unit for buffer in buffers)
    aligns = tuple(1 if unit % buffer.align == 0 else buffer.align // unit for buffer in buffers)
    listed: list[list[int]] = [[] for _ in slots]
    for index in range(len(buffers)):
        for live_set in range(first[index], last[index]):
            listed[live_set].append(index)
    together: list[set[int]] = [set() for _ in buffers]
    for members in listed:
        for index in members:
            together[index].update(members)
    return Instance(
        sizes,
        aligns,
        first,
        last,
        tuple(map(tuple, listed)),
        tuple(tuple(sorted(others - {index})) for index, others in enumerate(together)),
        tuple(sum(sizes[index] for index in members) for members in listed),
        lcm(*aligns),
        unit,
    )


def backward(instance: Instance) -> Instance:
    """The same with time running the other way: placements have the same offsets."""
    live_sets = len(instance.members)
    return instance._replace(
        first=tuple(live_sets - end for end in instance.last),
        last=tuple(live_sets - start for start in instance.first),
        members=instance.members[::-1],
        loads=instance.loads[::-1],
    )
