"""Live ranges of the operands of a dot.

A pipelined buffer lives as long as its loop; any other from where it is stored in shared memory to its dot:
from its copy where a descriptor fills it, at the dot alone where it waits in registers, half a dot each where
both operands are cast, or split into parts of TF32.
"""

from __future__ import annotations

from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.positions import Place, hull, touching
from smemdsl.compilers.triton.rules.target import IN_REGISTERS, MMA, TCGEN05
from smemdsl.compilers.triton.rules.transposed_tiles import transposed_copies
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule

RULE = Rule(
    "allocate-shared-memory/liveness",
    compiler="Triton",
    passes="allocate-shared-memory",
    source="lib/Analysis/Allocation.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)

AT_ONCE = RULE.because("at its dot alone: until then it is in registers")
Life = tuple[int, int, Provenance]


def life(operand: Operand, fill: Place, kernel: Kernel, *, in_registers: bool) -> Life:
    """A pipelined buffer lives as long as its loop; any other from where it is stored to its dot."""
    name = operand.buffer.name
    uses = kernel.uses(name)
    if not kernel.is_pipelined_operand(name):
        start, end = hull(touching(name, kernel.places))
        return start, end, RULE.because("from its copy to the end of the loop that reads it")
    if fill.pipelined and (not in_registers or operand.kind == TCGEN05):
        return (*fill.pipelined, RULE.because("as long as the loop that is pipelined"))
    if not kernel.by_tma(fill):
        return (*at_product(operand, uses), AT_ONCE)
    if operand.kind in IN_REGISTERS:
        return (
            fill.start,
            fill.end,
            RULE.because(f"at its copy alone: {operand.kind} takes it from registers"),
        )
    if transposed_copies(operand, fill.num_stages):
        read = first_read(name, fill, kernel)
        return fill.start, read.start, RULE.because("until it is copied once more for its dot")
    return fill.start, uses[-1].end, RULE.because("from its copy to its dot")


def at_product(operand: Operand, uses: list[Place]) -> tuple[int, int]:
    """The slots of the dots that read it; half of one where it is cast or split."""
    start, end = uses[0].start, uses[-1].end
    apart = operand.cast or is_split(operand)
    if not apart or len(uses) > 1:
        return start, end
    return (start, start + 1) if operand.gemm.a == operand.buffer.name else (start + 1, end)


def is_split(operand: Operand) -> bool:
    """Whether each element becomes three of TF32 in registers."""
    return operand.kind == MMA and operand.bits == 32 and operand.gemm.input_precision == "tf32x3"


def first_read(name: str, fill: Place, kernel: Kernel) -> Place:
    """The first statement that touches a buffer after its copy."""
    return next(place for place in touching(name, kernel.places) if place.start >= fill.end)
