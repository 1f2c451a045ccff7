"""A tile that a tensor descriptor filled, held once more with K innermost.

TMA cannot transpose; wgmma reads 8-bit and 32-bit operands only with K innermost, tcgen05 32-bit ones, which
it holds twice where it is pipelined. With wgmma the pipelined buffer itself then has one version less.
"""

from __future__ import annotations

from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.target import TCGEN05, WGMMA
from smemdsl.program.rule import Rule

RULE = Rule(
    "accelerate-matmul/transposed-tile",
    compiler="Triton",
    passes="tritongpu-accelerate-matmul",
    source="lib/Dialect/TritonGPU/Transforms/AccelerateMatmul.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)


def transposed_copies(operand: Operand, num_stages: int) -> int:
    """Buffers that hold a descriptor's tile once more, with K innermost; 0 for none.

    TMA cannot transpose; wgmma reads 8-bit and 32-bit operands only with K innermost, tcgen05 32-bit ones,
    which it holds twice where it is pipelined.
    """
    if not operand.transposed:
        return 0
    if operand.kind == WGMMA and operand.bits in (8, 32):
        return 1
    if operand.kind == TCGEN05 and operand.bits == 32:
        return 2 if num_stages > 1 else 1
    return 0
