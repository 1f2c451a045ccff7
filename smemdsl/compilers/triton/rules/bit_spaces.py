"""Vectors of bits, as integers, added without carry: spans, and what is orthogonal to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def log2(number: int) -> int:
    """The exponent of a power of two."""
    return number.bit_length() - 1


def reduced(vectors: Iterable[int]) -> list[int]:
    """The reduced row echelon form; the pivot of a row is its lowest bit."""
    rows: list[int] = []
    for vector in vectors:
        rest = vector
        for row in rows:
            if rest & row & -row:
                rest ^= row
        if rest:
            pivot = rest & -rest
            rows = [row ^ rest if row & pivot else row for row in rows] + [rest]
    return rows


def null_space(vectors: Iterable[int], dim: int) -> list[int]:
    """A basis of what is orthogonal to all vectors of `dim` bits."""
    rows = reduced(vectors)
    pivots = {row & -row for row in rows}
    free = (1 << bit for bit in range(dim) if 1 << bit not in pivots)
    return [bit | sum(row & -row for row in rows if row & bit) for bit in free]


def intersection(left: Sequence[int], right: Sequence[int], dim: int) -> list[int]:
    """A basis of what both span; in the order of the left one, where all are single bits."""
    if all(vector & (vector - 1) == 0 for vector in (*left, *right)):
        return [vector for vector in left if vector and vector in right]
    return null_space([*null_space(left, dim), *null_space(right, dim)], dim)
