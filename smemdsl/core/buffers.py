"""The interval model: what every scenario becomes, and what every packing policy consumes.

Bytes are integers of bytes; times are slots, integers counted from 0; intervals are half-open.
"""

from typing import NamedTuple

Bytes = int
"""A size or an offset, in bytes."""
Slot = int
"""A moment of the program: one statement of one region takes one slot."""


class Buffer(NamedTuple):
    """A tile with all its versions, as the packer sees it."""

    name: str
    bytes: Bytes
    """Size of all versions together; 0 takes no part in packing."""
    align: Bytes
    """The offset is a multiple of this; at least 1."""
    start: Slot
    """First slot at which it is live."""
    end: Slot
    """First slot after `start` at which it is dead."""


class PlacedBuffer(NamedTuple):
    """A buffer in its arena, or a static one outside it: the one record that every output is made from."""

    name: str
    versions: int
    """Copies."""
    bytes: Bytes
    """Size of all versions together."""
    align: Bytes | None = None
    """None for a static buffer."""
    live: tuple[Slot, Slot] | None = None
    """First slot at which it is live, first slot after that at which it is dead; None for a static one."""
    offset: Bytes | None = None
    """Where it lies; 0 for a buffer of 0 bytes, None for a static one."""

    @property
    def end(self) -> Bytes:
        """The first byte above it."""
        return (self.offset or 0) + self.bytes


class Packing(NamedTuple):
    """Where a policy put each buffer: `offsets[i]` belongs to `buffers[i]`."""

    offsets: tuple[Bytes, ...]
    arena: Bytes
    """Size of the arena, with whatever rounding the policy's rule asks for."""
    lower_bound: Bytes | None = None
    """What no packing can go below; only policies that prove something set it."""
    proved: bool | None = None
    """Whether `arena` is known to be optimal; None where the policy makes no claim."""
