"""Arithmetic that several policies share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemdsl.core.buffers import Buffer, Bytes


def align_up(offset: Bytes, align: Bytes) -> Bytes:
    """The least multiple of `align` that is not below `offset`."""
    return -(-offset // align) * align


def lowest_free(taken: Iterable[tuple[Bytes, Bytes]], size: Bytes, align: Bytes) -> Bytes:
    """The lowest aligned offset at which so many bytes meet none of those taken, each [first, past)."""
    offset = 0
    for first, past in sorted(taken):
        if offset + size <= first:
            break
        if past > offset:
            offset = align_up(past, align)
    return offset


def in_a_row(buffers: Sequence[Buffer], order: Iterable[int]) -> tuple[tuple[Bytes, ...], Bytes]:
    """Offsets of buffers laid one behind the other in this order, each aligned; and where the last ends."""
    offsets = [0] * len(buffers)
    end = 0
    for index in order:
        offsets[index] = align_up(end, buffers[index].align)
        end = offsets[index] + buffers[index].bytes
    return tuple(offsets), end


def highest_end(buffers: Sequence[Buffer], offsets: Iterable[Bytes]) -> Bytes:
    """Where the highest of the buffers ends; 0 where there is none."""
    return max((offset + buffer.bytes for offset, buffer in zip(offsets, buffers, strict=True)), default=0)
