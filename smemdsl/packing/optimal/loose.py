"""Buffers that fit wherever the others lie: left out of the search, and put back after it.

Below a height, a buffer has so many aligned offsets to choose from, and another that is live with it takes no
more than some of them away, wherever it lies. Where all others together leave one, the buffer can wait; and
without it, the same may hold for more buffers. Put back in the opposite order, each finds a place.
"""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.core.buffers import Buffer, Bytes
from smemdsl.packing.arithmetic import lowest_free


def loose(buffers: Sequence[Buffer], height: Bytes) -> list[int]:
    """Indexes of buffers that can wait, in the order to put them back in; what is left needs no more room.

    Args:
        buffers: All of them.
        height: No arena is smaller.
    """
    neighbours = _neighbours(buffers)
    spare = [
        (height - buffer.bytes) // buffer.align + 1 - sum(_taken(buffers[other], buffer) for other in others)
        for buffer, others in zip(buffers, neighbours, strict=True)
    ]
    """Offsets that are left at worst."""
    found = [index for index, many in enumerate(spare) if many > 0]
    waiting = set(found)
    for index in found:
        for other in neighbours[index]:
            spare[other] += _taken(buffers[index], buffers[other])
            if spare[other] > 0 and other not in waiting:
                waiting.add(other)
                found.append(other)
    return found[::-1]


def put_back(buffers: Sequence[Buffer], offsets: dict[int, Bytes], waiting: Sequence[int]) -> None:
    """Place the buffers that wait, each as low as it fits among those placed."""
    neighbours = _neighbours(buffers)
    for index in waiting:
        placed = [other for other in neighbours[index] if other in offsets]
        taken = [(offsets[other], offsets[other] + buffers[other].bytes) for other in placed]
        offsets[index] = lowest_free(taken, buffers[index].bytes, buffers[index].align)


def _neighbours(buffers: Sequence[Buffer]) -> list[list[int]]:
    """For each buffer, the others that are live together with it."""
    found: list[list[int]] = [[] for _ in buffers]
    live: list[int] = []
    for index in sorted(range(len(buffers)), key=lambda index: buffers[index].start):
        live = [other for other in live if buffers[other].end > buffers[index].start]
        for other in live:
            found[other].append(index)
        found[index] += live
        live.append(index)
    return found


def _taken(other: Buffer, buffer: Buffer) -> int:
    """How many offsets of a buffer another one can take away at most: aligned ones at which they overlap."""
    return -(-(other.bytes + buffer.bytes - 1) // buffer.align)
