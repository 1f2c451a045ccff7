"""How a tensor is spread over registers, lanes and warps, as Triton's linear layouts say it.

A basis is the element, as one number, that a bit of the register, lane or warp index leads to: row plus rows
times column. A tile's extents are powers of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.compilers.triton.rules.bit_spaces import log2

WARP = 32
Pair = tuple[int, int]
"""Of the dimensions: rows, columns."""


class Layout(NamedTuple):
    """The bases of a layout; 0 where a lane or warp holds what another holds, too."""

    registers: tuple[int, ...]
    """None is 0: a register that repeats another is left out."""
    lanes: tuple[int, ...]
    warps: tuple[int, ...]


Part = tuple[str, int, int]
"""`registers`, `lanes` or `warps`; a dimension; how many along it, a power of two."""


def layout(shape: Pair, parts: Sequence[Part], order: Pair = (1, 0)) -> Layout:
    """The layout that parts make, each beside what stands before; registers fill the tile in the order."""
    size = [1, 1]
    bases: dict[str, list[int]] = {"registers": [], "lanes": [], "warps": []}

    def grow(where: str, dimension: int, number: int) -> None:
        for _ in range(log2(number)):
            at = size[dimension]
            element = at if dimension == 0 else at * shape[0]
            bases[where].append(element if at < shape[dimension] else 0)
            size[dimension] *= 2

    for part in parts:
        grow(*part)
    for dimension in order:
        if size[dimension] < shape[dimension]:
            grow("registers", dimension, shape[dimension] // size[dimension])
    registers = tuple(basis for basis in bases["registers"] if basis)
    return Layout(registers, tuple(bases["lanes"]), tuple(bases["warps"]))


def blocked(shape: Pair, per_thread: Pair, order: Pair, warps: int) -> Layout:
    """`#ttg.blocked`: lanes and warps along the first dimension of the order as far as it reaches."""
    first, second = order
    threads = min(warps * WARP, max(1, shape[first] // per_thread[first]))
    lanes_first = min(threads, WARP)
    warps_first = min(max(threads // lanes_first, 1), warps)
    parts = [("registers", dimension, per_thread[dimension]) for dimension in order]
    parts += [("lanes", first, lanes_first), ("lanes", second, WARP // lanes_first)]
    parts += [("warps", first, warps_first), ("warps", second, warps // warps_first)]
    return layout(shape, parts, order)


def mma(shape: Pair, columns: int, warps: Pair, *, rows_first: bool = False) -> Layout:
    """`#ttg.nvidia_mma`: tiles of 16 rows and so many columns; wgmma counts warps along rows first."""
    parts = [("registers", 1, 2), ("lanes", 1, 4), ("lanes", 0, 8), ("registers", 0, 2)]
    parts += [("registers", 1, columns // 8)]
    parts += [("warps", dimension, warps[dimension]) for dimension in ((0, 1) if rows_first else (1, 0))]
    return layout(shape, parts)


def tensor_memory(shape: Pair, warps: int) -> Layout:
    """What `tmem_load` gives: a lane of tensor memory a thread; of 64 rows each has two threads.

    More than four warps take a block of 128 rows each, or share the columns.
    """
    rows, columns = shape
    more = warps // 4
    if rows == 64:
        parts = [("registers", 1, columns // (2 * more)), ("lanes", 0, 16), ("lanes", 1, 2)]
        return layout(shape, [*parts, ("warps", 0, 4), ("warps", 1, more)])
    split = more if rows == 128 else 1
    parts = [("registers", 1, columns // split), ("lanes", 0, 32), ("warps", 0, 4)]
    return layout(shape, [*parts, ("warps", 1 if rows == 128 else 0, more)])
