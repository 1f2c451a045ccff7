"""Versions of the buffers of a pipelined copy.

`num_stages` with wgmma and tcgen05, which read their operands from shared memory; one fewer with mma and
plain arithmetic (fma), whose operands are in registers when the next copy is issued; at least one.
"""

from __future__ import annotations

from smemdsl.compilers.triton.rules.target import IN_REGISTERS
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule

RULE = Rule(
    "lower-loops/versions",
    compiler="Triton",
    passes="tritongpu-pipeline (lowerLoops)",
    source="lib/Dialect/TritonGPU/Transforms/Pipeliner/LowerLoops.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)


def versions(num_stages: int, kind: str) -> tuple[int, Provenance]:
    """Buffers of a pipelined copy: num_stages with wgmma and tcgen05, else one fewer; at least one.

    With `mma` and plain arithmetic the operands are in registers when the next copy is issued.
    """
    if num_stages <= 1:
        return 1, RULE.because("num_stages 1 asks for no pipelining")
    if kind in IN_REGISTERS:
        return num_stages - 1, RULE.because(f"{kind} reads its operands into registers: num_stages - 1")
    return num_stages, RULE.because(f"{kind} reads its operands from shared memory: num_stages")
