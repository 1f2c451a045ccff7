"""The least stack by looking at every order, and random instances for hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

from hypothesis import strategies as st

from benchmarks.optimal.exhaustive import small
from smemdsl.core.buffers import Buffer
from tests.packing.reference import align_up


def least_stack(items: Sequence[tuple[int, int]]) -> int:
    """Least height of a stack of (alignment, size), by every order."""
    least = -1
    for order in permutations(items):
        height = 0
        for align, size in order:
            height = align_up(height, align) + size
        least = height if least < 0 else min(least, height)
    return least


@st.composite
def instances(draw: st.DrawFn, most: int) -> list[Buffer]:
    """What `small` makes, by seed, so that hypothesis can name the one that fails."""
    return small(Random(draw(st.integers(0, 2**32))), most)
