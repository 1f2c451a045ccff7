"""T1 to T6: versions, alignments, copies and barriers of the operands of products in Triton 3.9.

Each held in all configurations of `tests/data/triton_programs.jsonl`: sm_80, 86, 89, 90, 100 and 120;
float16, bfloat16, float32, 8-bit floats and integers; 1 to 8 warps, 1 to 6 stages; operands of either order,
loaded by pointers and by tensor descriptors.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.compilers.triton.rules.target import MMA, TCGEN05, WGMMA
from smemdsl.core.buffers import Bytes
from smemdsl.program.lowered import Because
from smemdsl.program.statements import Declared, Gemm

BARRIER_BYTES = 8
LEAST_COPY = 4
"""Bytes that cp.async moves at least."""
LEAST_ALIGN = 16
_SWIZZLE_ALIGN = ((128, 1024), (64, 512), (32, 256))
"""Bytes of a row, at least, and what the swizzle of such rows is aligned to."""


class Operand(NamedTuple):
    """A buffer that a product reads."""

    buffer: Declared
    gemm: Gemm
    kind: str
    """The product's matrix instruction."""
    cast: bool
    """Whether it becomes float16 in registers first."""
    threads: int
    """Of a block."""

    @property
    def bits(self) -> int:
        """Of an element as it is loaded."""
        return self.buffer.dtype_bits

    @property
    def is_small(self) -> bool:
        """Whether a thread would copy less than cp.async can."""
        return self.buffer.bytes < LEAST_COPY * self.threads

    @property
    def turned(self) -> bool:
        """Whether K is not the dimension that lies side by side."""
        is_left = self.gemm.a == self.buffer.name
        return self.gemm.trans_a if is_left else not self.gemm.trans_b

    @property
    def is_left_turned(self) -> bool:
        """Whether it is a left operand that is transposed."""
        return self.gemm.a == self.buffer.name and self.gemm.trans_a

    @property
    def row(self) -> Bytes:
        """Bytes side by side, as stored in global memory."""
        return self.buffer.shape[-1] * self.bits // 8

    @property
    def k_row(self) -> Bytes:
        """Bytes side by side with K innermost."""
        shape = self.buffer.shape
        return shape[-2 if self.turned and len(shape) > 1 else -1] * self.bits // 8


def versions(num_stages: int, kind: str) -> tuple[int, Because]:
    """T1: buffers of a pipelined copy: num_stages with wgmma and tcgen05, else one fewer; at least one.

    With `mma` the operands are in registers when the next copy is issued, so that one buffer less is needed.
    """
    if num_stages <= 1:
        return 1, Because("T1", "num_stages 1 asks for no pipelining")
    if kind == MMA:
        return num_stages - 1, Because("T1", "mma reads its operands into registers: num_stages - 1")
    return num_stages, Because("T1", f"{kind} reads its operands from shared memory: num_stages")


def stays_in_registers(operand: Operand) -> Because | None:
    """T2: why a pipelined copy by pointers stays in registers, with one buffer for its product; else None.

    wgmma reads 8-bit operands only with K innermost, and cp.async cannot turn elements of less than 4 B; the
    left operand of `mma` is read by rows; and cp.async moves 4 B a thread or more.
    """
    if operand.is_small:
        return Because("T2", f"a tile of less than {LEAST_COPY} B a thread cannot be copied asynchronously")
    if operand.kind == WGMMA and operand.bits == 8 and operand.turned:
        return Because("T2", "8-bit operands of wgmma are transposed through shared memory")
    if operand.kind == MMA and operand.is_left_turned and operand.bits < 32:
        return Because("T2", "a transposed left operand of mma is copied to shared memory when it is needed")
    return None


def turned_copies(operand: Operand, num_stages: int) -> int:
    """T5: buffers that hold a descriptor's tile once more, with K innermost; 0 for none.

    TMA cannot transpose; wgmma reads 8-bit and 32-bit operands only with K innermost, tcgen05 32-bit ones,
    which it holds twice where it is pipelined.
    """
    if not operand.turned:
        return 0
    if operand.kind == WGMMA and operand.bits in (8, 32):
        return 1
    if operand.kind == TCGEN05 and operand.bits == 32:
        return 2 if num_stages > 1 else 1
    return 0


def alignment(operand: Operand, *, by_tma: bool) -> tuple[Bytes, Because]:
    """T3: 16 B for `mma`; else, and by descriptors, what the swizzle of its rows needs, 1024 to 128 B.

    By pointers, 32-bit operands, and 8-bit ones of wgmma, are stored with K innermost.
    """
    if by_tma:
        return swizzle(operand.row), Because("T3", f"filled by a descriptor with rows of {operand.row} B")
    if operand.kind == MMA:
        return LEAST_ALIGN, Because("T3", "the default")
    by_k = operand.bits == 32 or (operand.kind == WGMMA and operand.bits == 8)
    row = operand.k_row if by_k else operand.row
    return swizzle(row), Because("T3", f"an operand of {operand.kind} with rows of {row} B")


def swizzle(row: Bytes) -> Bytes:
    """The alignment of the widest swizzle that rows of so many bytes fill."""
    return next((align for least, align in _SWIZZLE_ALIGN if row >= least), 128)


def barriers(num_stages: int, kind: str) -> int:
    """T4: 8-byte barriers of a product with tcgen05: two, to wait for one; one without stages."""
    if kind != TCGEN05:
        return 0
    return 2 if num_stages > 1 else 1
