"""How a wgmma spreads over warps, and how wide its operands lie in a row: it decides their swizzle."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from smemdsl.compilers.tilelang.rules.gemm import SPARSITY, size_of
from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.program.statements import Gemm

WARPS_OF_GROUP = 4
ROWS_OF_WARP = 16
COLUMNS_OF_WARP = 8
ROWS_OF_INSTRUCTION = 64
WIDEST_INSTRUCTION = 256


def columns_of_warps(gemm: Gemm, kernel: Kernel) -> int:
    """Warps along N of a wgmma; along M they move in groups of four.

    full_row puts as many along M as there is room for, full_col along N, square balances the two.
    """
    m, n = size_of(gemm, "m"), size_of(gemm, "n")
    warps = kernel.threads_for("it decides how a gemm spreads over warps", gemm.where) // 32
    fitting = list(_fitting(m, n, warps))
    if not fitting:
        return 1
    if gemm.policy == "full_row":
        return fitting[-1][1]
    if gemm.policy == "full_col":
        return fitting[0][1]
    return min(fitting, key=lambda each: _imbalance(m, n, each))[1]


def _fitting(m: int, n: int, warps: int) -> Iterator[tuple[int, int]]:
    for along_m in range(WARPS_OF_GROUP, warps + 1, WARPS_OF_GROUP):
        along_n, rest = divmod(warps, along_m)
        if not (rest or m % (along_m * ROWS_OF_WARP) or n % (along_n * COLUMNS_OF_WARP)):
            yield along_m, along_n


def _imbalance(m: int, n: int, split: tuple[int, int]) -> float:
    rows, columns = m / (split[0] * ROWS_OF_WARP), n / (split[1] * COLUMNS_OF_WARP)
    return abs(rows / columns - m / n)


def instruction_columns(columns: int) -> int:
    """N of the instruction: the widest multiple of 16 up to 256 that divides a warp's columns."""
    for width in range(WIDEST_INSTRUCTION, 0, -16):
        if columns % width == 0:
            return width
    return gcd(columns, WIDEST_INSTRUCTION)


def contiguous_elements(gemm: Gemm, name: str, kernel: Kernel) -> int:
    """Elements of an operand of a wgmma that lie side by side; the widest swizzle that divides them is taken.

    K, or the instruction's M or N where K is not the operand's last dimension. A sparse A has half of K.
    """
    if name == gemm.b and not gemm.trans_b:
        return instruction_columns(size_of(gemm, "n") // columns_of_warps(gemm, kernel))
    if name == gemm.a and gemm.trans_a:
        return ROWS_OF_INSTRUCTION
    return size_of(gemm, "k") // (SPARSITY if name == gemm.a and gemm.e is not None else 1)
