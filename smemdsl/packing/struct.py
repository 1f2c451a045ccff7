"""What a C compiler does with a struct: members in the order they are written, no reuse."""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.core.buffers import Buffer, Bytes, Packing
from smemdsl.packing.arithmetic import align_up, in_a_row


def place(buffers: Sequence[Buffer], _align: Bytes) -> Packing:
    """Lay buffers one behind the other as written, the end rounded up to the largest alignment among them."""
    offsets, end = in_a_row(buffers, range(len(buffers)))
    return Packing(offsets, align_up(end, max((buffer.align for buffer in buffers), default=1)))
