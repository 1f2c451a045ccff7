"""Who owns which bytes when, on axes compressed to where something begins or ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes, Slot

FREE = -1
"""Owner of what belongs to no buffer."""


class Grid(NamedTuple):
    """`owners[band][span]` is the index of the buffer that has these bytes in these slots, or FREE."""

    times: tuple[Slot, ...]
    """Where the spans begin, and where the last ends."""
    addresses: tuple[Bytes, ...]
    """Where the bands begin, and where the last ends."""
    owners: tuple[tuple[int, ...], ...]


def grid_of(
    buffers: Sequence[Buffer], offsets: Sequence[Bytes], arena: Bytes, cuts: Iterable[Bytes] = ()
) -> Grid:
    """The grid of a packing; `cuts` are addresses that get a band's edge although nothing begins there."""
    there = [(i, b, o) for i, (b, o) in enumerate(zip(buffers, offsets, strict=True)) if b.bytes]
    times = sorted({slot for _, b, _ in there for slot in (b.start, b.end)})
    edges = {0, arena, *cuts, *(address for _, b, o in there for address in (o, o + b.bytes))}
    addresses = sorted(edges)
    span = {time: i for i, time in enumerate(times)}
    band = {address: i for i, address in enumerate(addresses)}
    owners = [[FREE] * (len(times) - 1) for _ in addresses[1:]]
    for index, buffer, offset in there:
        for row in owners[band[offset] : band[offset + buffer.bytes]]:
            row[span[buffer.start] : span[buffer.end]] = [index] * (span[buffer.end] - span[buffer.start])
    return Grid(tuple(times), tuple(addresses), tuple(map(tuple, owners)))
