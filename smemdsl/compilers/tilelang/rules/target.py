"""What TileLang 0.1.15 makes of a target: whether it pipelines, has TMA, has wgmma."""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdsl.core.confidence import Uncertainty, approximate
from smemdsl.core.errors import DocPath, Fault, FaultError

MEASURED = (75, 80, 86, 87, 89, 90, 100, 120)
"""Compute capabilities whose rules were measured: sm_86 and sm_87 with 38 kernels of `tests/oracle`."""
BLACKWELL_LIKE = (101, 103, 110, 121)
"""Compute capabilities with TMA that were not measured."""
OLDER = (70, 72)


class Target(NamedTuple):
    """A target as the rules see it."""

    name: str
    sm: int
    """Compute capability times ten; 0 for AMD."""
    pipelines: bool
    """False where the compiler turns every pipelined loop into a plain one."""
    uncertain: tuple[Uncertainty, ...] = ()

    @property
    def has_tma(self) -> bool:
        """TMA, and with it warp specialisation: sm_90 and later."""
        return self.sm >= 90

    @property
    def has_wgmma(self) -> bool:
        """Only sm_90 has wgmma; later targets do a gemm into registers with mma."""
        return self.sm == 90


def read_target(name: str, where: DocPath = ()) -> Target:
    """The facts of a target such as `sm_90a` or `gfx950`.

    Raises FaultError `unknown-target` for a name that is neither, and for a compute capability that there is
    not.
    """
    nvidia = re.fullmatch(r"sm_(\d{2,3})[af]?", name)
    if nvidia and int(nvidia[1]) in MEASURED + BLACKWELL_LIKE + OLDER:
        sm = int(nvidia[1])
        doubt = () if sm in MEASURED else (approximate(f"the rules were not measured on {name}"),)
        return Target(name, sm, pipelines=True, uncertain=doubt)
    if re.fullmatch(r"gfx[0-9a-f]{3,4}", name):
        doubt = (approximate(f"the rules were measured on NVIDIA targets only, not on {name}"),)
        return Target(name, 0, pipelines=name == "gfx950", uncertain=doubt)
    known = ", ".join(f"sm_{sm}" for sm in MEASURED)
    hint = f"known: {known} (with a or f), and gfx names"
    raise FaultError([Fault(where, "unknown-target", f"no rules for target {name!r}", hint)])
