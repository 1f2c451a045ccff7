"""Predicted against compiled, buffer by buffer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdsl.compilers.capture.request import Capture, CapturedBuffer
from smemdsl.core.buffers import PlacedBuffer
from smemdsl.judging.plan import ArenaPlan


class BufferPair(NamedTuple):
    """A buffer on both sides; None where a side does not have it."""

    name: str
    predicted: PlacedBuffer | None
    compiled: PlacedBuffer | None

    @property
    def same(self) -> bool:
        """Whether size, versions and offset are equal."""
        one, other = self.predicted, self.compiled
        return one is not None and other is not None and _place(one) == _place(other)


class CaptureComparison(NamedTuple):
    """A prediction beside what the compiler made: arena and static bytes as (predicted, compiled)."""

    arena: tuple[int, int]
    static: tuple[int, int]
    pairs: tuple[BufferPair, ...]

    @property
    def arena_exact(self) -> bool:
        """Whether the arenas are equal."""
        return self.arena[0] == self.arena[1]

    @property
    def static_exact(self) -> bool:
        """Whether the static bytes are equal."""
        return self.static[0] == self.static[1]

    @property
    def offsets_exact(self) -> bool:
        """Whether every buffer is on both sides, at the same offset."""
        return all(
            pair.predicted and pair.compiled and pair.predicted.offset == pair.compiled.offset
            for pair in self.pairs
        )

    @property
    def versions_exact(self) -> bool:
        """Whether every buffer has the same number of versions on both sides."""
        return all(
            pair.predicted and pair.compiled and pair.predicted.versions == pair.compiled.versions
            for pair in self.pairs
        )

    @property
    def exact(self) -> bool:
        """Whether nothing differs; alignments, where no offset shows them, do not count."""
        return self.arena_exact and self.static_exact and all(pair.same for pair in self.pairs)


def compare(capture: Capture, plan: ArenaPlan) -> CaptureComparison:
    """Put the buffers of a plan beside those of a capture.

    They are matched by name; what is left over (workspaces have names of their own on each side) by size and
    offset.
    """
    compiled = {buffer.name: _placed(buffer) for buffer in capture.buffers}
    predicted = {buffer.name: buffer for buffer in plan.layout if buffer.bytes}
    pairs = [
        BufferPair(name, predicted[name], compiled.pop(name)) for name in list(predicted) if name in compiled
    ]
    rest = [buffer for name, buffer in predicted.items() if name not in {pair.name for pair in pairs}]
    pairs += _leftovers(rest, list(compiled.values()))
    arena, static = plan.packing.arena, plan.lowered.static_bytes
    return CaptureComparison((arena, capture.arena), (static, capture.static), tuple(pairs))


def _placed(buffer: CapturedBuffer) -> PlacedBuffer:
    """A captured buffer as plans have theirs."""
    return PlacedBuffer(buffer.name, buffer.versions, buffer.bytes, buffer.align, buffer.live, buffer.offset)


def _place(buffer: PlacedBuffer) -> tuple[int, int, int | None]:
    """Where a buffer lies, and how large it is: what must be equal on both sides."""
    return buffer.bytes, buffer.versions, buffer.offset


def _leftovers(predicted: list[PlacedBuffer], compiled: list[PlacedBuffer]) -> Iterator[BufferPair]:
    """Equal ones first, then in order, then those that only one side has."""
    for exact in (True, False):
        for one in list(predicted):
            found = next(
                (b for b in compiled if not exact or (b.bytes, b.offset) == (one.bytes, one.offset)), None
            )
            if found is not None:
                predicted.remove(one)
                compiled.remove(found)
                yield BufferPair(one.name, one, found)
    for one in predicted:
        yield BufferPair(one.name, one, None)
    for other in compiled:
        yield BufferPair(other.name, None, other)
