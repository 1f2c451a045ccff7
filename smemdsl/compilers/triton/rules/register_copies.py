"""Copies by pointers that stay in registers until their dot, with one buffer.

Before sm_80 there is no cp.async, and all copies are such. cp.async moves 4 B a thread or more, and cannot
transpose elements of less than 4 B; wgmma reads 8-bit operands only with K innermost; the left operand of mma
is read by rows. A small tile of tcgen05 is held twice where its loop is pipelined, since the dot of the
iteration before may still read it.
"""

from __future__ import annotations

from smemdsl.compilers.triton.rules.operand import LEAST_COPY, Operand
from smemdsl.compilers.triton.rules.target import MMA, WGMMA
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule

RULE = Rule(
    "lower-loops/copies",
    compiler="Triton",
    passes="tritongpu-pipeline (lowerLoops)",
    source="lib/Dialect/TritonGPU/Transforms/Pipeliner/LowerLoops.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)


def stays_in_registers(operand: Operand) -> Provenance | None:
    """Why a pipelined copy by pointers stays in registers, with one buffer for its dot; else None.

    wgmma reads 8-bit operands only with K innermost, and cp.async cannot turn elements of less than 4 B; the
    left operand of `mma` is read by rows; and cp.async moves 4 B a thread or more.
    """
    if not operand.async_copies:
        return RULE.because("the target has no asynchronous copies: nothing is pipelined")
    if operand.is_small:
        return RULE.because(f"a tile of less than {LEAST_COPY} B a thread cannot be copied asynchronously")
    if operand.kind == WGMMA and operand.bits == 8 and operand.transposed:
        return RULE.because("8-bit operands of wgmma are transposed through shared memory")
    if operand.kind == MMA and operand.is_left_transposed and operand.bits < 32:
        return RULE.because("a transposed left operand of mma is copied to shared memory when it is needed")
    return None
