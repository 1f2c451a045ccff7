"""The reasons of a lowered program, and what became of its loops, as rows and plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypedDict

from smemdsl.program.lowered import LoopInfo, LoweredProgram, Provenance


class ValueProvenance(NamedTuple):
    """Why one value of one buffer is what it is."""

    subject: str
    """A buffer, or `barriers`."""
    about: str
    """`existence`, `versions`, `life`, `alignment`, or `static` for what lies outside the arena."""
    value: str
    why: Provenance


class PlainLoop(TypedDict):
    """A loop as json shows it."""

    loop: str
    pipelined: bool
    stages: list[int]
    order: list[int]


def explain(lowered: LoweredProgram) -> Iterator[ValueProvenance]:
    """Every value that a rule gave, buffer by buffer, then static shared memory."""
    for buffer in lowered.buffers:
        if buffer.why_exists is not None:
            yield ValueProvenance(buffer.name, "existence", f"{buffer.bytes} B", buffer.why_exists)
        yield ValueProvenance(buffer.name, "versions", str(buffer.versions), buffer.why_versions)
        yield ValueProvenance(buffer.name, "life", f"[{buffer.start}, {buffer.end})", buffer.why_live)
        yield ValueProvenance(buffer.name, "alignment", str(buffer.align), buffer.why_align)
    for part in lowered.static:
        yield ValueProvenance(part.name, "static", f"{part.bytes} B", part.why)


def plain_loops(lowered: LoweredProgram) -> list[PlainLoop]:
    """The loops in source order."""
    return [plain_loop(info) for info in lowered.loops]


def plain_loop(info: LoopInfo) -> PlainLoop:
    """One loop; `stages` and `order` are empty where the compiler did not plan it, as in a split loop."""
    return PlainLoop(
        loop=info.loop, pipelined=info.pipelined, stages=list(info.stages), order=list(info.order)
    )
