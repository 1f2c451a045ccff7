"""Lint swizzle-shape: a buffer whose shape is not a multiple of its swizzle."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

CASES = [
    ("{shape: [8, 64], dtype: float16, swizzle: 128B}", False),  # 128 B
    ("{shape: [8, 128], dtype: float16, swizzle: 128B}", False),
    ("{shape: [8, 48], dtype: float16, swizzle: 128B}", True),  # 96 B
    ("{shape: [8, 48], dtype: float16, swizzle: 64B}", True),
    ("{shape: [8, 48], dtype: float16, swizzle: 32B}", False),
    ("{shape: [8, 65], dtype: float16, swizzle: 128B}", True),
    ("{shape: [12, 64], dtype: float16, swizzle: 128B}", True),  # an atom has 8 rows
    ("{shape: [2, 4, 64], dtype: float16, swizzle: 128B}", False),
    ("{shape: [64], dtype: float16, swizzle: 128B}", False),  # one row says nothing of rows
    ("{shape: [8, 256], dtype: int4, swizzle: 128B}", False),
    ("{shape: [8, 128], dtype: int4, swizzle: 128B}", True),
    ("{shape: [8, 128], dtype: int4, storage_bits: 8, swizzle: 128B}", False),
    ("{shape: [8, 48], dtype: float16, swizzle: none}", False),
    ("{shape: [8, 48], dtype: float16}", False),
    ("{bytes: 96, swizzle: 128B}", False),  # no shape, no rows
    ("{shape: [8, 48], dtype: float16, swizzle: 128B, when: false}", False),
]


@pytest.mark.parametrize(("buffer", "bad"), CASES)
def test_rows(buffer: str, bad: bool) -> None:
    """Rows are multiples of the width, and multiples of 8; it is reported at the swizzle."""
    column = 13 + buffer.find("swizzle: ") + len("swizzle: ")
    assert found("swizzle-shape", f"buffers: {{a: {buffer}}}") == ([f"2:{column + 1}"] if bad else [])
