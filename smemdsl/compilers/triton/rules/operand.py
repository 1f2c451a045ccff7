"""A buffer that a dot reads, as the rules look at it."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.core.buffers import Bytes
from smemdsl.program.statements import Declared, Gemm

LEAST_COPY = 4
"""Bytes that cp.async moves at least."""


class Operand(NamedTuple):
    """A buffer that a dot reads."""

    buffer: Declared
    gemm: Gemm
    kind: str
    """The dot's matrix instruction."""
    cast_bits: int
    """Of an element as the dot takes it: `bits`, unless it is cast in registers first."""
    threads: int
    """Of a block."""
    async_copies: bool = True
    """Whether the target has cp.async."""

    @property
    def cast(self) -> bool:
        """Whether it is cast in registers first."""
        return self.cast_bits != self.bits

    @property
    def bits(self) -> int:
        """Of an element as it is loaded."""
        return self.buffer.dtype_bits

    @property
    def is_small(self) -> bool:
        """Whether a thread would copy less than cp.async can."""
        return self.buffer.bytes < LEAST_COPY * self.threads

    @property
    def transposed(self) -> bool:
        """Whether K is not the dimension that lies side by side."""
        is_left = self.gemm.a == self.buffer.name
        return self.gemm.trans_a if is_left else not self.gemm.trans_b

    @property
    def is_left_transposed(self) -> bool:
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
        return shape[-2 if self.transposed and len(shape) > 1 else -1] * self.bits // 8
