"""What a program is lowered to: the interval model, with the rule that gave each value."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes, Slot
from smemdsl.core.confidence import APPROXIMATE, Uncertainty, reasons
from smemdsl.core.errors import Fault


class Provenance(NamedTuple):
    """Why a value is what it is."""

    rule: str
    """The name of the rule, such as `inject-pipeline/versions`; `file` where the scenario says it."""
    text: str
    """One short sentence."""


class LoweredBuffer(NamedTuple):
    """A buffer of the arena, declared or derived."""

    name: str
    versions: int
    bytes: Bytes
    """Size of all versions together."""
    align: Bytes
    start: Slot
    end: Slot
    why_versions: Provenance
    why_live: Provenance
    why_align: Provenance
    why_exists: Provenance | None = None
    """None for a buffer that the file declares."""

    @property
    def interval(self) -> Buffer:
        """The buffer as a packer sees it."""
        return Buffer(self.name, self.bytes, self.align, self.start, self.end)


class StaticPart(NamedTuple):
    """Bytes of static shared memory, outside the arena."""

    name: str
    bytes: Bytes
    why: Provenance


class LoopInfo(NamedTuple):
    """What became of one loop of the program."""

    loop: str
    pipelined: bool
    stages: tuple[int, ...] = ()
    """Stage of each planned statement, in source order; empty where the loop was not planned."""
    order: tuple[int, ...] = ()
    warp_specialized: bool = False


class LoweredProgram(NamedTuple):
    """The interval model of a program."""

    buffers: tuple[LoweredBuffer, ...]
    """Declared buffers in file order, then derived ones in order of emission."""
    static: tuple[StaticPart, ...]
    loops: tuple[LoopInfo, ...]
    """In source order."""
    slots: tuple[str, ...]
    """What happens at each slot."""
    compiler: str
    """Whose rules these are."""
    uncertain: tuple[Uncertainty, ...] = ()
    """Why the answer may differ from the compiler's; empty where every rule applied is known to hold."""
    warnings: tuple[Fault, ...] = ()
    align: Bytes = 16
    """Default alignment of the arena."""
    producer_threads: int = 0
    """Threads that the launch has beyond those of the source: a warp-specialised kernel's producer."""

    @property
    def approximate(self) -> tuple[str, ...]:
        """Why the answer may differ either way; a lower bound has its reasons in `uncertain` alone."""
        return reasons(self.uncertain, APPROXIMATE)

    @property
    def warp_specialized(self) -> bool:
        """Whether the kernel has a producer and consumers."""
        return any(loop.warp_specialized for loop in self.loops)

    @property
    def static_bytes(self) -> Bytes:
        """Static shared memory together: static buffers and barriers."""
        return sum(part.bytes for part in self.static)
