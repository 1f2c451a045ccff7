"""Buffers that fit wherever the others lie: which ones, and that they do."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.optimal.exhaustive import least_arena
from smemdsl.core.buffers import Buffer, Packing
from smemdsl.packing.optimal.loose import loose, put_back
from smemdsl.packing.peak import peak
from smemdsl.packing.validate import violation
from tests.effort import examples
from tests.packing.optimal.exhaustive import instances
from tests.packing.reference import align_up


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([5, 1], True),  # of 0, 4, 8 and 12, the 5 bytes take two at most, and the single byte one
        ([5, 2], False),  # the 2 bytes can take two: at 3, both 0 and 4
        ([12], False),
        ([9], True),
    ],
)
def test_by_hand(sizes: list[int], expected: bool) -> None:
    """4 bytes aligned at 4 in 16 bytes, among others that are fixed by what is live elsewhere."""
    others = [Buffer("other", size, 1, 0, 2) for size in sizes]
    fixed = [Buffer("large", 16 - sum(sizes), 1, 1, 2)]
    waiting = loose([Buffer("b", 4, 4, 0, 1), *others, *fixed], 16)
    assert (0 in waiting) == expected


def test_one_after_the_other() -> None:
    """In 8 bytes, b can wait only where a does."""
    buffers = [
        Buffer("a", 3, 1, 0, 1),  # beside b: 3 + 3 - 1 of 6 offsets are taken, one is left
        Buffer("b", 3, 1, 0, 2),  # beside a and c: 5 + 4 of 6
        Buffer("c", 2, 1, 1, 2),  # beside b: 4 of 7
    ]
    assert loose(buffers, 8) == [1, 2, 0]


@given(instances(7), st.integers(0, 1 << 20))
@settings(max_examples=examples(200), deadline=None)
def test_they_fit_wherever_the_others_lie(buffers: list[Buffer], seed: int) -> None:
    """The others at random: with those that wait, the arena is no larger than that or the peak."""
    random, least = Random(seed), peak(buffers).bytes
    waiting = loose(buffers, least)
    offsets: dict[int, int] = {}
    top = 0
    for index in random.sample(range(len(buffers)), len(buffers)):
        if index not in waiting:
            offsets[index] = align_up(top + random.randrange(9), buffers[index].align)
            top = offsets[index] + buffers[index].bytes
    put_back(buffers, offsets, waiting)
    arena = max(offset + buffers[index].bytes for index, offset in offsets.items())
    placed = tuple(offsets[index] for index in range(len(buffers)))
    assert arena <= max(least, top)
    assert violation(buffers, Packing(placed, arena)) is None


@given(instances(6))
@settings(max_examples=examples(100), deadline=None)
def test_the_least_arena_stays_the_same(buffers: list[Buffer]) -> None:
    """By every order: that of what is left, or the peak."""
    least = peak(buffers).bytes
    waiting = loose(buffers, least)
    left = [buffer for index, buffer in enumerate(buffers) if index not in waiting]
    assert least_arena(buffers) == max(least, least_arena(left))
