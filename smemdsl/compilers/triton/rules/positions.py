"""Where each statement stands: slots, and the loops around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdsl.program.statements import Gemm, Loop, Statement
from smemdsl.program.walk import children, touches


class Span(NamedTuple):
    """A loop and the slots of what it holds, half-open."""

    loop: Loop
    start: int
    end: int


class Place(NamedTuple):
    """A statement that contains no other, and its slots, half-open."""

    statement: Statement
    start: int
    end: int
    loops: tuple[Span, ...] = ()
    """The loops around it, the outermost first."""

    @property
    def loop(self) -> Span | None:
        """The innermost loop around it."""
        return self.loops[-1] if self.loops else None

    @property
    def pipelined(self) -> tuple[int, int] | None:
        """The slots of the innermost loop, where that has stages; else None."""
        loop = self.loop
        return (loop.start, loop.end) if loop is not None and loop.loop.num_stages > 1 else None

    @property
    def num_stages(self) -> int:
        """Of the innermost loop; 0 outside of any."""
        return self.loops[-1].loop.num_stages if self.loops else 0


def places(body: Sequence[Statement], begin: int = 0) -> tuple[Place, ...]:
    """Every statement that contains no other, in source order.

    Each has a slot, a gemm two: in the first it reads its left operand, in the second the right one. A value
    of Triton lives in one iteration, so that statements of a loop have slots of their own.
    """
    found: list[Place] = []
    for statement in body:
        start = found[-1].end if found else begin
        if inner := children(statement):
            parts = places(inner, start)
            if isinstance(statement, Loop) and parts:
                span = Span(statement, start, parts[-1].end)
                parts = tuple(each._replace(loops=(span, *each.loops)) for each in parts)
            found += parts
        else:
            found.append(Place(statement, start, start + 1 + isinstance(statement, Gemm)))
    return tuple(found)


def touching(name: str, all_places: Sequence[Place]) -> list[Place]:
    """The statements that touch a buffer."""
    return [place for place in all_places if name in touches(place.statement)]


def hull(touched: Sequence[Place]) -> tuple[int, int]:
    """From the first touch to the last; to the end of a loop that begins in between and touches it again."""
    first = touched[0]
    ends = [touched[-1].end]
    for place in touched:
        ends += [span.end for span in place.loops if span not in first.loops]
    return first.start, max(ends)


def labels(all_places: Sequence[Place]) -> Iterator[str]:
    """What happens at each slot."""
    for place in all_places:
        names = " ".join([type(place.statement).__name__.lower(), *touches(place.statement)])
        inside = "".join(f", loop {span.loop.name}" for span in place.loops)
        yield from [f"{names}{inside}"] * (place.end - place.start)
