"""What Triton 3.9 makes of a target: which matrix instruction it uses, and for which types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.program.statements import Declared, Gemm

MMA, WGMMA, TCGEN05, FMA = "mma", "wgmma", "tcgen05", "fma"
IN_REGISTERS = (MMA, FMA)
"""Instructions that read their operands from registers; `fma`, plain arithmetic, is no matrix instruction."""
INSTRUCTIONS = {
    75: FMA,
    80: MMA,
    86: MMA,
    87: MMA,
    89: MMA,
    90: WGMMA,
    100: TCGEN05,
    103: TCGEN05,
    120: MMA,
    121: MMA,
}
"""The matrix instruction of a compute capability, where the tile allows it; all were measured."""
NO_INT8_TCGEN05 = (103,)
"""Compute capabilities whose tcgen05 takes no 8-bit integers."""
TCGEN05_WARPS = (4, 8)
"""Warps of a block that Triton uses tcgen05 with."""
FP8_MMA = (89, 120, 121)
"""Compute capabilities on which `mma` takes 8-bit floats as they are; on others they become float16."""
LEAST_M = 64
"""Rows that wgmma and tcgen05 need."""
WARP_GROUP = 4
"""Warps that execute one of them together."""


class Target(NamedTuple):
    """A target as the rules see it."""

    sm: int
    instruction: str

    @property
    def has_tma(self) -> bool:
        """TMA, and with it tensor descriptors: sm_90 and later."""
        return self.sm >= 90

    @property
    def has_async_copies(self) -> bool:
        """cp.async, without which nothing is pipelined: sm_80 and later."""
        return self.sm >= 80


def read_target(name: str, where: DocPath = ()) -> Target:
    """The facts of a target such as `sm_90`.

    Raises FaultError `unknown-target` for any other name.
    """
    found = re.fullmatch(r"sm_(\d{2,3})[af]?", name)
    if found is None or int(found[1]) not in INSTRUCTIONS:
        known = ", ".join(f"triton:sm_{sm}" for sm in INSTRUCTIONS)
        message = f"no rules for target 'triton:{name}'"
        raise FaultError([Fault(where, "unknown-target", message, f"{_way_out(name)}; known: {known}")])
    sm = int(found[1])
    return Target(sm, INSTRUCTIONS[sm])


def _way_out(name: str) -> str:
    """What to do about a target without rules."""
    if name.startswith("gfx"):
        return "the rules of a program in Triton are NVIDIA's: write `buffers` with `live` and `target: " + (
            f"{name}` instead of a `program`"
        )
    if name.startswith("sm_"):
        return f"`smemdsl capture triton` with `--target {name}` asks the compiler itself"
    return "a target is a compute capability"


def instruction(target: Target, gemm: Gemm, operands: Iterable[Declared], warps: int) -> str:
    """The instruction of one dot: `mma` unless it has 64 rows and whole groups of four warps.

    float32 without TF32 is plain arithmetic; with three products of TF32, `mma` as far as this follows it.
    """
    taken = list(operands)
    of_float32 = any(each.floating and each.dtype_bits == 32 for each in taken)
    if target.instruction == FMA or (of_float32 and gemm.input_precision == "ieee"):
        return FMA
    if gemm.m is None or gemm.m < LEAST_M or warps % WARP_GROUP:
        return MMA
    if of_float32 and gemm.input_precision == "tf32x3":
        return MMA
    if target.instruction == TCGEN05:
        of_int8 = any(is_int8(each) for each in taken)
        if warps not in TCGEN05_WARPS or (of_int8 and target.sm in NO_INT8_TCGEN05):
            return MMA
    return target.instruction


def is_int8(buffer: Declared) -> bool:
    """Whether its elements are 8-bit integers."""
    return buffer.dtype_bits == 8 and not buffer.floating


def cast_bits(buffer: Declared, kind: str, target: Target) -> int:
    """Bits of an element as the dot takes it from shared memory, where that is not as it was loaded.

    8-bit floats become float16 before `mma` takes them; before sm_80 all that is not float32 becomes that.
    """
    if kind == MMA and buffer.floating and buffer.dtype_bits == 8 and target.sm not in FP8_MMA:
        return 16
    return 32 if not target.has_async_copies else buffer.dtype_bits
