"""The loops that people write instead: the same numbers into the same csv, with everything written out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import product

HEAD = (
    "no_reuse_bytes",
    "peak_bytes",
    "arena_bytes",
    "used_bytes",
    "budget_bytes",
    "verdict",
    "blocks_per_sm",
)
BUDGET = 233472
OPT_IN = 232448
ITEM = 2
Live = tuple[int, int, int]
"""Bytes, start and end of a buffer."""


def gemm_tiles(m: Iterable[int], n: Iterable[int], k: Iterable[int], stages: Iterable[int]) -> str:
    """Every tile of a GEMM: num_stages copies of A and of B, live throughout."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["block_M", "block_N", "block_K", "num_stages", *HEAD])
    for block_m, block_n, block_k, count in product(m, n, k, stages):
        total = count * (block_m * block_k + block_k * block_n) * ITEM
        arena = -(-total // 128) * 128
        writer.writerow([block_m, block_n, block_k, count, total, total, *_verdict(arena)])
    return out.getvalue()


def epilogue(m: Iterable[int], n: Iterable[int], k: Iterable[int], stages: Iterable[int]) -> str:
    """The same with a C tile after the loop, packed as TileLang packs."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["block_M", "block_N", "block_K", "num_stages", *HEAD])
    for block_m, block_n, block_k, count in product(m, n, k, stages):
        prologue, end = (count - 1) * 3, (16 + count - 1) * 3
        buffers = [
            (count * block_m * block_k * ITEM, prologue, end),
            (count * block_k * block_n * ITEM, prologue + 1, end),
            (block_m * block_n * ITEM, end, end + 2),
        ]
        no_reuse = sum(size for size, _, _ in buffers)
        peak = max(sum(size for size, s, e in buffers if s <= at < e) for _, at, _ in buffers)
        writer.writerow([block_m, block_n, block_k, count, no_reuse, peak, *_verdict(pack(buffers))])
    return out.getvalue()


def pack(buffers: list[Live]) -> int:
    """A linear scan with a best-fit free list, as a person would write it down."""
    top = 0
    free: list[tuple[int, int]] = []
    placed: list[tuple[int, int, int]] = []
    for size, start, end in sorted(buffers, key=lambda b: (b[1], -b[0])):
        for dead in [p for p in placed if p[0] <= start]:
            placed.remove(dead)
            free.append((dead[1], dead[2]))
        free = list(_merged(sorted(free)))
        best = min(((b - a, a, b) for a, b in free if _up(a) + size <= b), default=None)
        if best is not None:
            _, low, high = best
            free.remove((low, high))
        elif free and free[-1][1] == top:
            low, high = free.pop()
        else:
            low, high = top, top
        offset = _up(low)
        free += [block for block in ((low, offset), (offset + size, high)) if block[0] < block[1]]
        top = max(top, offset + size)
        placed.append((end, offset, offset + size))
    return _up(top)


def _merged(blocks: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for block in blocks:
        if last is not None and last[1] == block[0]:
            last = (last[0], block[1])
        else:
            if last is not None:
                yield last
            last = block
    if last is not None:
        yield last


def _up(value: int) -> int:
    return -(-value // 128) * 128


def _verdict(arena: int) -> tuple[int, int, int, str, int]:
    alloc = -(-(arena + 1024) // 128) * 128
    blocks = min(32, BUDGET // alloc) if arena <= OPT_IN else 0
    return arena, arena, BUDGET, "OK" if arena <= BUDGET else "OVER", blocks
