"""What is cut apart before the search: time, units, buffers at the bottom, independent stretches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal.instance import backward, build, common_unit
from smemdsl.packing.optimal.parts import split
from tests.effort import examples
from tests.packing.optimal.exhaustive import instances


@pytest.mark.parametrize(
    ("sizes", "aligns", "unit"),
    [
        ([512, 1024], [1, 1], 512),
        ([512, 1024], [16, 1024], 512),
        ([96, 64], [128, 128], 32),
        ([96, 64], [3, 1], 1),
        ([6, 12], [3, 2], 6),
        ([6, 12], [4, 3], 1),
    ],
)
def test_unit(sizes: list[int], aligns: list[int], unit: int) -> None:
    """It divides the sizes, and each alignment divides it or is a multiple of it."""
    buffers = [Buffer("b", size, align, 0, 1) for size, align in zip(sizes, aligns, strict=True)]
    assert common_unit(buffers) == unit
    assert all(unit % align == 0 or align % unit == 0 for align in aligns)


def test_live_sets() -> None:
    """Lives [0, 4), [1, 3), [3, 6), [5, 7): three live sets that no other contains."""
    lives = [(0, 4), (1, 3), (3, 6), (5, 7)]
    instance = build([Buffer("b", 1, 1, *life) for life in lives])
    assert instance.members == ((0, 1), (0, 2), (2, 3))
    assert instance.neighbours == ((1, 2), (0,), (0, 3), (2,))


@given(instances(9))
@settings(max_examples=examples(100), deadline=None)
def test_neighbours_are_those_that_live_together(buffers: list[Buffer]) -> None:
    """Cutting time down to live sets keeps exactly the pairs whose lives overlap."""
    neighbours = build(buffers).neighbours
    for i, one in enumerate(buffers):
        overlapping = {
            j for j, other in enumerate(buffers) if j != i and one.start < other.end and other.start < one.end
        }
        assert set(neighbours[i]) == overlapping


def test_live_throughout_goes_to_the_bottom_and_the_rest_falls_apart() -> None:
    """A tile under two phases: the phases are solved apart, above it."""
    buffers = [
        Buffer("early", 64, 16, 0, 2),
        Buffer("tile", 1024, 1024, 0, 5),
        Buffer("late", 48, 16, 3, 5),
        Buffer("late too", 32, 16, 3, 4),
    ]
    parts = split(buffers)
    assert parts.laid == {1: 0, 0: 1024, 2: 1024, 3: 1024 + 48}
    assert parts.parts == ()


def test_a_ragged_tile_stays_in_the_search() -> None:
    """1040 B live throughout beside an alignment of 1024 may have to go on top: it is not laid down."""
    buffers = [Buffer("tile", 1040, 16, 0, 2), Buffer("early", 1024, 1024, 0, 1), Buffer("late", 8, 8, 1, 2)]
    parts = split(buffers)
    assert parts.laid == {}
    assert [part.indexes for part in parts.parts] == [(0, 1, 2)]


@given(instances(9))
@settings(max_examples=examples(60), deadline=None)
def test_backward_is_what_mirrored_lives_give(buffers: list[Buffer]) -> None:
    """Lives from -end to -start make the same instance as the one turned round."""
    mirrored = [buffer._replace(start=-buffer.end, end=-buffer.start) for buffer in buffers]
    assert backward(build(buffers)) == build(mirrored)
