"""What Triton 3.9 makes of a target: which matrix instruction it uses, and for which types."""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdsl.core.confidence import Uncertainty, approximate
from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.program.statements import Declared

MMA, WGMMA, TCGEN05 = "mma", "wgmma", "tcgen05"
INSTRUCTIONS = {80: MMA, 86: MMA, 87: MMA, 89: MMA, 90: WGMMA, 100: TCGEN05, 103: TCGEN05, 120: MMA, 121: MMA}
"""The matrix instruction of a compute capability, where the tile allows it."""
MEASURED = (80, 86, 89, 90, 100, 120)
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
    uncertain: tuple[Uncertainty, ...]

    @property
    def has_tma(self) -> bool:
        """TMA, and with it tensor descriptors: sm_90 and later."""
        return self.sm >= 90


def read_target(name: str, where: DocPath = ()) -> Target:
    """The facts of a target such as `sm_90`.

    Raises FaultError `unknown-target` for any other name.
    """
    found = re.fullmatch(r"sm_(\d{2,3})[af]?", name)
    if found is None or int(found[1]) not in INSTRUCTIONS:
        known = ", ".join(f"triton:sm_{sm}" for sm in MEASURED)
        message = f"no rules for target 'triton:{name}'"
        raise FaultError([Fault(where, "unknown-target", message, f"known: {known}")])
    sm = int(found[1])
    doubt = () if sm in MEASURED else (approximate(f"the rules of Triton were not measured on {name}"),)
    return Target(sm, INSTRUCTIONS[sm], doubt)


def instruction(target: Target, m: int | None, warps: int) -> str:
    """The matrix instruction of one dot: `mma` unless it has 64 rows and whole groups of four warps."""
    if m is not None and m >= LEAST_M and warps % WARP_GROUP == 0:
        return target.instruction
    return MMA


def is_cast(buffer: Declared, kind: str, target: Target) -> bool:
    """Whether an 8-bit float becomes float16 in registers before `mma` takes it."""
    return kind == MMA and buffer.floating and buffer.dtype_bits == 8 and target.sm not in FP8_MMA
