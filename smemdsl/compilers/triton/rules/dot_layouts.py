"""The layouts of a dot's result and of a store, as coalesce and accelerate-matmul choose them.

Pointers are taken to be aligned to 16 B and rows to lie side by side, as launches specialise them.
"""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.compilers.triton.rules.linear_layout import (
    WARP,
    Layout,
    Pair,
    blocked,
    mma,
    tensor_memory,
)
from smemdsl.compilers.triton.rules.target import FMA, TCGEN05, WGMMA

WGMMA_COLUMNS = tuple(range(256, 0, -8))
WGMMA_COLUMNS_INT8 = (224, 208, 192, 176, 160, 144, 128, 112, 96, 80, 64, 48, 32, 24, 16, 8)


def stored(shape: Pair, bits: int, warps: int, *, trans: bool) -> Layout:
    """Of a coalesced store: 16 B a thread along what lies side by side."""
    order = (0, 1) if trans else (1, 0)
    each = min(128 // bits, max(shape[0] * shape[1] // (warps * WARP), 1))
    return blocked(shape, (each, 1) if trans else (1, each), order, warps)


def result(shape: Pair, kind: str, warps: int, *, int8: bool, together: bool) -> Layout:
    """Of a dot; `together`: with another dot of the same region, so that warps lie along one dimension."""
    if kind == TCGEN05:
        return tensor_memory(shape, warps)
    if kind == FMA:
        each = shape[0] * shape[1] // (warps * WARP)
        side = 4 if each >= 16 else 2 if each >= 4 else 1
        return blocked(shape, (side, side), (1, 0), warps)
    if kind == WGMMA:
        columns = wgmma_columns(shape, warps, int8=int8)
        return mma(shape, columns, wgmma_warps(shape, warps), rows_first=True)
    return mma(shape, 8, in_one_line(shape, warps) if together else mma_warps(shape, warps))


def in_one_line(shape: Pair, warps: int) -> Pair:
    """Warps of mma in dots that belong together: along the longer dimension, as the last of them has it."""
    return (warps, 1) if shape[0] >= shape[1] else (1, warps)


def mma_warps(shape: Pair, warps: int) -> Pair:
    """Warps of mma: balanced between tiles of 16 rows and of 8 columns."""
    rows, columns = -(-shape[0] // 16), -(-shape[1] // 8)
    along_rows = along_columns = 1
    while along_rows * along_columns < warps:
        if rows >= columns:
            along_rows *= 2
            rows = max(rows // 2, 1)
        else:
            along_columns *= 2
            columns //= 2
    return along_rows, along_columns


def wgmma_columns(shape: Pair, warps: int, *, int8: bool) -> int:
    """Columns of one wgmma: the most that divide the tile's and that a warp has."""
    along_columns = max(warps // max(shape[0] // 16, 1), 1)
    most = max(shape[1] // along_columns, 8)
    choices: Sequence[int] = WGMMA_COLUMNS_INT8 if int8 else WGMMA_COLUMNS
    return next(columns for columns in choices if columns <= most and shape[1] % columns == 0)


def wgmma_warps(shape: Pair, warps: int) -> Pair:
    """Warps of wgmma: groups of four along rows, more along rows while there are any, then along columns."""
    along_rows, along_columns = 4, 1
    while along_rows * along_columns < warps:
        if shape[0] > 16 * along_rows:
            along_rows *= 2
        else:
            along_columns *= 2
    return along_rows, along_columns
