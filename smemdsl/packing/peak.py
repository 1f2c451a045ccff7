"""The peak: what no arena can go below; and the no-reuse sum: what sharing saves is measured against."""

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes, Slot


class Peak(NamedTuple):
    """The moment at which most bytes are live."""

    bytes: Bytes
    slot: Slot
    """The first slot at which that much is live; 0 where nothing ever is."""
    live: tuple[int, ...]
    """Indexes of the buffers that are live there, in their order; those of 0 bytes are left out."""


def peak(buffers: Sequence[Buffer]) -> Peak:
    """The largest sum of bytes live at one slot, without alignment; lives are half-open."""
    changes: dict[Slot, Bytes] = {}
    for buffer in buffers:
        changes[buffer.start] = changes.get(buffer.start, 0) + buffer.bytes
        changes[buffer.end] = changes.get(buffer.end, 0) - buffer.bytes
    most = live = at = 0
    for slot in sorted(changes):
        live += changes[slot]
        if live > most:
            most, at = live, slot
    there = (i for i, buffer in enumerate(buffers) if buffer.bytes and buffer.start <= at < buffer.end)
    return Peak(most, at, tuple(there) if most else ())


def no_reuse(buffers: Sequence[Buffer]) -> Bytes:
    """The sum of all sizes: the storage of a kernel that shares nothing, without alignment."""
    return sum(buffer.bytes for buffer in buffers)
