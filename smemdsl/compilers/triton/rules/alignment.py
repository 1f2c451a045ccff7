"""Alignments: 16 B for mma and plain arithmetic; else by the swizzle of a row, 1024 to 128 B.

Rows of 128 B and more are aligned to 1024 B, of 64 B to 512 B, of 32 B to 256 B, others to 128 B; so is all
that descriptors fill. By pointers, 32-bit operands, and 8-bit ones of wgmma, are stored with K innermost, and
their rows run along K.
"""

from __future__ import annotations

from smemdsl.compilers.triton.rules.operand import Operand
from smemdsl.compilers.triton.rules.target import IN_REGISTERS, WGMMA
from smemdsl.core.buffers import Bytes
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule

RULE = Rule(
    "allocate-shared-memory/alignment",
    compiler="Triton",
    passes="allocate-shared-memory",
    source="lib/Analysis/Allocation.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)
LEAST_ALIGN = 16
_SWIZZLE_ALIGN = ((128, 1024), (64, 512), (32, 256))
"""Bytes of a row, at least, and what the swizzle of such rows is aligned to."""


def alignment(operand: Operand, *, by_tma: bool) -> tuple[Bytes, Provenance]:
    """16 B for `mma`; else, and by descriptors, what the swizzle of its rows needs, 1024 to 128 B.

    By pointers, 32-bit operands, and 8-bit ones of wgmma, are stored with K innermost.
    """
    if by_tma:
        return swizzle(operand.row), RULE.because(f"filled by a descriptor with rows of {operand.row} B")
    if operand.kind in IN_REGISTERS:
        return LEAST_ALIGN, RULE.because("the default")
    by_k = operand.bits == 32 or (operand.kind == WGMMA and operand.bits == 8)
    row = operand.k_row if by_k else operand.row
    return swizzle(row), RULE.because(f"an operand of {operand.kind} with rows of {row} B")


def swizzle(row: Bytes) -> Bytes:
    """The alignment of the widest swizzle that rows of so many bytes fill."""
    return next((align for least, align in _SWIZZLE_ALIGN if row >= least), 128)
