"""T1 to T4: versions, alignments and barriers of the buffers of a pipelined product in Triton 3.9.

Each held in all of the 60 configurations of `tests/data/triton_gemm.jsonl`, 12 on each of sm_80, sm_86,
sm_90, sm_100 and sm_120.
"""

from __future__ import annotations

from smemdsl.model import Bytes
from smemdsl.program.result import Because
from smemdsl.program.statements import Declared, Gemm
from smemdsl.program.triton_3_9.target import MMA, TCGEN05, WGMMA

BARRIER_BYTES = 8
LEAST_ALIGN = 16
_SWIZZLE_ALIGN = ((128, 1024), (64, 512), (32, 256))
"""Bytes of a row, at least, and what the swizzle of such rows is aligned to."""


def versions(num_stages: int, kind: str) -> tuple[int, Because]:
    """T1: buffers of a pipelined copy: num_stages with wgmma and tcgen05, else one fewer; at least one.

    With `mma` the operands are in registers when the next copy is issued, so that one buffer less is needed.
    """
    if num_stages <= 1:
        return 1, Because("T1", "num_stages 1 asks for no pipelining")
    if kind == MMA:
        return num_stages - 1, Because("T1", "mma reads its operands into registers: num_stages - 1")
    return num_stages, Because("T1", f"{kind} reads its operands from shared memory: num_stages")


def is_converted(buffer: str, gemm: Gemm, kind: str, bits: int) -> bool:
    """T2: whether the operand is copied to shared memory once more, transposed, when it is needed.

    wgmma reads 8-bit operands only with K innermost. Else the pipelined load stays in registers, and a buffer
    of one version holds the operand for the instruction.
    """
    if kind != WGMMA or bits != 8:
        return False
    return (gemm.b == buffer and not gemm.trans_b) or (gemm.a == buffer and gemm.trans_a)


def alignment(buffer: Declared, kind: str) -> tuple[Bytes, Because]:
    """T3: 16 B; of an operand of wgmma or tcgen05 what the swizzle of its rows needs: 1024 to 128 B."""
    if kind == MMA:
        return LEAST_ALIGN, Because("T3", "the default")
    row = buffer.shape[-1] * buffer.dtype_bits // 8
    align = next((align for least, align in _SWIZZLE_ALIGN if row >= least), 128)
    return align, Because("T3", f"an operand of {kind} with rows of {row} B")


def barriers(num_stages: int, kind: str) -> int:
    """T4: 8-byte barriers of a product with tcgen05: two, to wait for one; one without stages."""
    if kind != TCGEN05:
        return 0
    return 2 if num_stages > 1 else 1
