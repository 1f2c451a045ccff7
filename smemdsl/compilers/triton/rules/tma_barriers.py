"""Barriers of copies by tensor descriptors, in the arena.

8 B for each version of the buffers of a group of copies. In a pipelined loop neighbours with as many versions
are one group, unless a statement between them reads what the first filled; mma reads a left operand before
the next copy where it is transposed or cast. Without stages each copy is a group, and its barrier lives as
long as the copy.
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.mma_barriers import barrier_buffer, numbered
from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.operands import operand_buffer
from smemdsl.compilers.triton.rules.positions import Place
from smemdsl.compilers.triton.rules.target import IN_REGISTERS
from smemdsl.program.lowered import LoweredBuffer
from smemdsl.program.rule import Rule
from smemdsl.program.statements import Copy
from smemdsl.program.walk import reads

RULE = Rule(
    "lower-loops/tma-barriers",
    compiler="Triton",
    passes="tritongpu-pipeline (lowerLoops)",
    source="lib/Dialect/TritonGPU/Transforms/Pipeliner/LowerLoops.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)


def copy_barriers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """8 B for each version of the buffers of each group of copies by descriptors.

    Without stages each copy is a group, and its barrier lives as long as the copy.
    """
    names = numbered("copy_barriers", kernel)
    for group in groups(kernel):
        place = group[0]
        operand = _operand(place, kernel)
        span = (operand and place.pipelined) or (place.start, place.end)
        versions = operand_buffer(operand, place, kernel).versions if operand else 1
        copied = " and ".join(name for each in group for name in _to(each))
        yield barrier_buffer(
            next(names), versions, span, RULE.because(f"the copy of {copied} by a descriptor")
        )


def groups(kernel: Kernel) -> Iterator[list[Place]]:
    """Copies that one barrier stands for.

    In a pipelined loop, neighbours with as many versions, unless a statement between them reads what the
    first filled. `mma` reads a left operand before the next copy where it is transposed or cast.
    """
    group: list[Place] = []
    for place in kernel.places:
        if not kernel.by_tma(place):
            if any(name in reads(place.statement) for each in group for name in _to(each)):
                yield group
                group = []
            continue
        if group and not _together(group[-1], place, kernel):
            yield group
            group = []
        group = [*group, place]
    if group:
        yield group


def _together(before: Place, place: Place, kernel: Kernel) -> bool:
    first, second = _operand(before, kernel), _operand(place, kernel)
    if first is None or second is None or before.loops != place.loops or place.num_stages < 2:
        return False
    if first.kind in IN_REGISTERS and (first.is_left_transposed or first.cast):
        return False
    return operand_buffer(first, before, kernel).versions == operand_buffer(second, place, kernel).versions


def _operand(place: Place, kernel: Kernel) -> Operand | None:
    return next((kernel.operand(name) for name in _to(place) if kernel.is_pipelined_operand(name)), None)


def _to(place: Place) -> tuple[str, ...]:
    return (place.statement.to,) if isinstance(place.statement, Copy) else ()
