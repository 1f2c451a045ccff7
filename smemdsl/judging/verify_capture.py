"""Predicted against compiled, buffer by buffer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdsl.compilers.capture.request import Capture, CapturedBuffer
from smemdsl.judging.plan import ArenaPlan


class Placed(NamedTuple):
    """Where a buffer lies, and how large it is: what must be equal on both sides."""

    bytes: int
    versions: int
    offset: int


class BufferPair(NamedTuple):
    """A buffer on both sides; None where a side does not have it."""

    name: str
    predicted: Placed | None
    compiled: Placed | None
    predicted_align: int | None
    compiled_align: int | None

    @property
    def same(self) -> bool:
        """Whether size, versions and offset are equal."""
        return self.predicted == self.compiled


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
    compiled = {buffer.name: buffer for buffer in capture.buffers}
    predicted = _predicted(plan)
    pairs = [_pair(name, predicted[name], compiled.pop(name)) for name in list(predicted) if name in compiled]
    rest = [(name, item) for name, item in predicted.items() if name not in {pair.name for pair in pairs}]
    pairs += _leftovers(rest, list(compiled.values()))
    arena, static = plan.packing.arena, plan.lowered.static_bytes
    return CaptureComparison((arena, capture.arena), (static, capture.static), tuple(pairs))


_Side = tuple[Placed, int]


def _predicted(plan: ArenaPlan) -> dict[str, _Side]:
    lowered = plan.lowered
    rows = zip(lowered.buffers, lowered.versions, plan.packing.offsets, strict=True)
    return {b.name: (Placed(b.bytes, versions, offset), b.align) for b, versions, offset in rows if b.bytes}


def _pair(name: str, predicted: _Side | None, compiled: CapturedBuffer | None) -> BufferPair:
    made = Placed(compiled.bytes, compiled.versions, compiled.offset) if compiled else None
    return BufferPair(
        name,
        predicted[0] if predicted else None,
        made,
        predicted[1] if predicted else None,
        compiled.align if compiled else None,
    )


def _leftovers(predicted: list[tuple[str, _Side]], compiled: list[CapturedBuffer]) -> Iterator[BufferPair]:
    """Equal ones first, then in order, then those that only one side has."""
    for exact in (True, False):
        for name, side in list(predicted):
            found = next(
                (b for b in compiled if not exact or (b.bytes, b.offset) == (side[0].bytes, side[0].offset)),
                None,
            )
            if found is not None:
                predicted.remove((name, side))
                compiled.remove(found)
                yield _pair(name, side, found)
    for name, side in predicted:
        yield _pair(name, side, None)
    for buffer in compiled:
        yield _pair(buffer.name, None, buffer)
