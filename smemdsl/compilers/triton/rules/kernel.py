"""What the rules of one kernel share: its statements' places, its dots, and what fills each buffer."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.positions import Place, places
from smemdsl.compilers.triton.rules.target import IN_REGISTERS, Target, cast_bits, instruction
from smemdsl.program.statements import Copy, Declared, Gemm, Load, Program
from smemdsl.program.walk import writes

WARP = 32


class Dot(NamedTuple):
    """A gemm, where it stands, and its matrix instruction."""

    gemm: Gemm
    place: Place
    kind: str

    def reads(self, name: str) -> bool:
        """Whether it reads a buffer."""
        return name in (self.gemm.a, self.gemm.b)


class Kernel(NamedTuple):
    """A program, looked at."""

    target: Target
    buffers: dict[str, Declared]
    places: tuple[Place, ...]
    dots: tuple[Dot, ...]
    threads: int

    def operand(self, name: str) -> Operand | None:
        """A buffer as its most demanding dot sees it; None where none reads it."""
        reading = [dot for dot in self.dots if dot.reads(name)]
        if not reading:
            return None
        dot = next((each for each in reading if each.kind not in IN_REGISTERS), reading[0])
        buffer = self.buffers[name]
        taken = cast_bits(buffer, dot.kind, self.target)
        return Operand(buffer, dot.gemm, dot.kind, taken, self.threads, self.target.has_async_copies)

    def fill(self, name: str) -> Place | None:
        """The copy or load that fills a buffer first."""
        filling = (place for place in self.places if isinstance(place.statement, Copy | Load))
        return next((place for place in filling if name in writes(place.statement)), None)

    def by_tma(self, place: Place) -> bool:
        """Whether it copies by a tensor descriptor."""
        return self.target.has_tma and isinstance(place.statement, Copy) and place.statement.tma

    def uses(self, name: str) -> list[Place]:
        """The dots that read a buffer."""
        return [dot.place for dot in self.dots if dot.reads(name)]

    def is_pipelined_operand(self, name: str) -> bool:
        """Whether a buffer is filled in the same loop as all dots that read it."""
        fill = self.fill(name)
        return fill is not None and all(use.loops == fill.loops for use in self.uses(name))


def kernel_of(program: Program, target: Target, threads: int) -> Kernel:
    """The program with the places of its statements and the instructions of its dots."""
    found = places(program.body)
    buffers = {buffer.name: buffer for buffer in program.buffers}
    dots = (
        Dot(gemm, place, instruction(target, gemm, map(buffers.__getitem__, gemm.operands), threads // WARP))
        for place in found
        if isinstance(gemm := place.statement, Gemm)
    )
    return Kernel(target, buffers, found, tuple(dots), threads)
