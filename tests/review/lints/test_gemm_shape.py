"""Lint gemm-shape: sizes that the operands of a gemm have not."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

TEXT = """\
target: sm_80
threads: 128
params: {T: 128}
buffers:
  A: {shape: [%s], dtype: float16}
  B: {shape: [%s], dtype: float16}
  E: {bytes: 512}
program:
  - copy: [A, B]
  - copy: E
  - gemm: {a: A, b: B, %s}
"""
CASES = [
    ("128, 32", "32, 128", "m: 128, n: 128, k: 32", []),
    ("128, 32", "64, 128", "m: 256, n: 999, k: 7", ["m", "k", "n", "k"]),
    ("T, 32", "32, T", "m: T, n: T, k: 32", []),
    ("T, 32", "32, T", "m: T, n: 2 * T, k: 32", ["n"]),
    ("32, 128", "32, 128", "m: 128, n: 128, k: 32, trans_a: true", []),
    ("32, 128", "32, 256", "m: 256, n: 256, k: 32, trans_a: true", ["m"]),
    ("128, 32", "64, 32", "m: 128, n: 64, k: 32, trans_b: true", []),
    ("128, 32", "32, 64", "m: 128, n: 64, k: 32, trans_b: true", ["n"]),
    ("128, 72", "64, 136", "m: 128, n: 128, k: 64", []),  # padding of 8
    ("128, 256", "256, 128", "m: 128, n: 128, k: 64", []),  # a quarter of each
    ("128, 100", "48, 128", "m: 128, n: 128, k: 48", ["k"]),
    ("128, 16", "32, 128", "e: E, m: 128, n: 128, k: 32", []),  # sparse: half of the columns are stored
    ("128, 32", "32, 128", "e: E, m: 128, n: 128, k: 128", ["k", "k"]),
    ("128, 32", "32, 128", "e: E, m: 128, n: 128, k: 32", ["k"]),  # all of them are there
    ("128, 16", "32, 128", "e: B, m: 128, n: 128, k: 32", ["e"]),  # no metadata
    ("3, 128, 32", "32, 128", "m: 999, n: 128, k: 32", []),  # three dimensions say nothing
]


@pytest.mark.parametrize(("a", "b", "sizes", "wrong"), CASES)
def test_sizes(a: str, b: str, sizes: str, wrong: list[str]) -> None:
    """Each operand is held against its two sizes, turned where it says so; it is reported at the size."""
    line = f"  - gemm: {{a: A, b: B, {sizes}}}"
    expected = sorted(f"12:{line.index(f' {size}: ') + 5}" for size in wrong)
    assert sorted(found("gemm-shape", TEXT % (a, b, sizes))) == expected
