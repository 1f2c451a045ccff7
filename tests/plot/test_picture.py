"""The geometry of an arena: rectangles that are disjoint and fill it, on an axis that keeps their order."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl import load, loads
from smemdsl.api import Scenario
from smemdsl.output.picture import Block, Picture, Space, axis_of, budget_line, picture_of


def scenario(lives: list[tuple[int, int, int]], policy: str = "tilelang") -> Scenario:
    """Buffers of given start, end and bytes."""
    rows = "".join(f"  b{i}: {{bytes: {size}, live: [{s}, {e}]}}\n" for i, (s, e, size) in enumerate(lives))
    return loads(f"smemdsl: 1\nalign: 16\npolicy: {policy}\nbuffers:\n{rows}")


LIVES = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 20), st.integers(0, 600)).map(
        lambda life: (life[0], life[0] + life[1], life[2])
    ),
    min_size=1,
    max_size=12,
)


def meet(one: Block | Space, other: Block | Space) -> bool:
    """Whether two rectangles have more than an edge in common."""
    in_time = max(one.start, other.start) < min(one.end, other.end)
    return in_time and max(one.offset, other.offset) < min(one.offset + one.bytes, other.offset + other.bytes)


@given(LIVES, st.sampled_from(["tilelang", "triton", "sequential", "firstfit", "struct"]))
def test_blocks_and_spaces_fill_the_arena(lives: list[tuple[int, int, int]], policy: str) -> None:
    """No two rectangles meet, none leaves the arena, and together they have its whole area."""
    picture = picture_of(scenario(lives, policy).plan())
    if not picture.times:
        assert not any(size for _, _, size in lives)
        return
    rectangles: list[Block | Space] = [*picture.blocks, *picture.spaces]
    assert not any(meet(one, other) for one, other in combinations(rectangles, 2))
    first, last = picture.times[0], picture.times[-1]
    for one in rectangles:
        assert first <= one.start < one.end <= last
        assert 0 <= one.offset < one.offset + one.bytes <= picture.arena
    area = sum((one.end - one.start) * one.bytes for one in rectangles)
    assert area == (last - first) * picture.arena
    assert [block.bytes for block in picture.blocks] == [size for _, _, size in lives if size]


@given(LIVES)
def test_groups_are_what_shares_storage(lives: list[tuple[int, int, int]]) -> None:
    """Two blocks with a byte in common are of one group, and a block that shares with none is of none."""
    picture = picture_of(scenario(lives).plan())
    for one, other in combinations(picture.blocks, 2):
        if max(one.offset, other.offset) < min(one.offset + one.bytes, other.offset + other.bytes):
            assert one.group == other.group is not None
    for number, group in enumerate(picture.groups):
        assert len(group.members) > 1
        assert [b.buffer for b in picture.blocks if b.group == number] == list(group.members)


def test_the_picture_of_epilogue() -> None:
    """The arena of design section 5: A and C share the first 64 KiB, and three spaces are free."""
    verdict = load("builtin:epilogue").check(num_stages=4, budget="sm_90")
    picture = picture_of(verdict.plan)
    k = 1024
    assert picture == Picture(
        blocks=(
            Block(0, "A_shared", 9, 57, 0, 64 * k, 4, 0),
            Block(1, "B_shared", 10, 57, 64 * k, 64 * k, 4, None),
            Block(2, "C_shared", 57, 59, 0, 32 * k, 1, 0),
        ),
        spaces=(Space(9, 10, 64 * k, 64 * k), Space(57, 59, 32 * k, 96 * k)),
        groups=picture.groups,
        times=(9, 10, 57, 59),
        arena=128 * k,
        peak=10,
    )
    assert [(group.start, group.end, group.members) for group in picture.groups] == [(0, 64 * k, (0, 2))]
    assert budget_line(verdict) == 232448


def test_static_bytes_lower_the_budget_line() -> None:
    """1 KiB outside the arena leaves 3 KiB of 4."""
    text = "smemdsl: 1\nbudget: 4 KiB\nstatic: 1024\nbuffers: {a: {bytes: 2048}}"
    assert budget_line(loads(text).check()) == 3072


@pytest.mark.parametrize(
    ("times", "edges", "to_scale"),
    [
        ((0, 2, 6), (0, 1 / 3, 1), True),
        ((9, 10, 57, 59), (0, 1 / 9, 7 / 9, 1), False),  # 1, 47 and 2 slots: 1, 6 and 2 binary digits
        ((0, 2**62), (0, 1), True),
    ],
)
def test_long_spans_are_shortened(
    times: tuple[int, ...], edges: tuple[float, ...], *, to_scale: bool
) -> None:
    """To scale while every span can be seen, else a span takes as much as its length has binary digits."""
    axis = axis_of(times)
    assert axis.edges == pytest.approx(edges)
    assert axis.to_scale is to_scale


@given(st.sets(st.integers(0, 2**62), min_size=2, max_size=30).map(sorted), st.data())
def test_slots_keep_their_order(times: list[int], data: st.DataObject) -> None:
    """The axis goes from 0 to 1, and a later slot never stands to the left of an earlier one."""
    axis = axis_of(times)
    assert (axis.edges[0], axis.edges[-1]) == (0, 1)
    assert all(left < right for left, right in pairwise(axis.edges))
    some = sorted(data.draw(st.lists(st.integers(times[0], times[-1]), min_size=2, max_size=8)))
    assert [axis.at(slot) for slot in some] == sorted(axis.at(slot) for slot in some)
    assert [axis.at(time) for time in times] == pytest.approx(axis.edges)
