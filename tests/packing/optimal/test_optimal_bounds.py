"""The bounds on stacks: never above the least stack, and equal to it where they say so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.optimal.exhaustive import least_arena
from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal.instance import build
from smemdsl.packing.optimal.padding import PaddingTable
from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.stack import StackSearch
from smemdsl.packing.optimal.stacking import Towers
from smemdsl.packing.optimal.subsets import Subsets
from tests.effort import examples
from tests.packing.optimal.exhaustive import instances, least_stack
from tests.packing.reference import align_up

CHAINS = st.sampled_from([(16, 128, 1024), (1, 2, 4, 8), (4, 16, 64), (4, 6), (3, 5)])


@st.composite
def items(draw: st.DrawFn, most: int = 5) -> list[tuple[int, int]]:
    """(alignment, size) with sizes below the common period, as a pile has them."""
    aligns = draw(CHAINS)
    period = aligns[-1] if aligns[-1] % aligns[0] == 0 else aligns[0] * aligns[1]
    item = st.tuples(st.sampled_from(aligns), st.integers(1, period - 1))
    return draw(st.lists(item, min_size=1, max_size=most))


def least_padding(pile: list[tuple[int, int]]) -> int:
    return least_stack(pile) - sum(size for _, size in pile)


def height_in(order: list[int], pile: Pile) -> int:
    height = 0
    for item in order:
        align, size = pile.items[item]
        height = align_up(height, align) + size
    return height


@given(items())
@settings(max_examples=examples(100), deadline=None)
def test_both_bounds_stay_below_the_least_stack(drawn: list[tuple[int, int]]) -> None:
    """By sums alone and by reach: neither exceeds what the best of all orders pays."""
    pile = Pile(drawn)
    least = least_padding(drawn)
    assert 0 <= pile.quick_bound(pile.all, 0, pile.sums) <= least
    assert 0 <= pile.sharp_bound(pile.all, 0, pile.sums) <= least


@given(items(), st.integers(0, 5000))
@settings(max_examples=examples(100), deadline=None)
def test_bounds_hold_on_any_floor(drawn: list[tuple[int, int]], floor: int) -> None:
    """A stack need not begin at 0: the bounds count from where it does."""
    pile = Pile(drawn)
    least = min_padding_on(drawn, floor)
    assert pile.quick_bound(pile.all, floor, pile.sums) <= least
    assert pile.sharp_bound(pile.all, floor, pile.sums) <= least


def min_padding_on(drawn: list[tuple[int, int]], floor: int) -> int:
    """Least padding of a stack whose first item lies on `floor`, by every order."""
    best = -1

    def lay(top: int, left: list[tuple[int, int]]) -> None:
        nonlocal best
        if not left:
            best = top if best < 0 else min(best, top)
        for index, (align, size) in enumerate(left):
            lay(align_up(top, align) + size, left[:index] + left[index + 1 :])

    lay(floor, drawn)
    return best - floor - sum(size for _, size in drawn)


@given(items())
@settings(max_examples=examples(100), deadline=None)
def test_subsets_find_the_least_stack(drawn: list[tuple[int, int]]) -> None:
    """Dynamic programming, stopped after every state, gives what all orders give, and such an order."""
    pile = Pile(drawn)
    subsets = Subsets(pile)
    while not subsets.advance(1):
        pass
    padding, order = subsets.best()
    assert padding == least_padding(drawn)
    assert sorted(order) == list(range(len(drawn)))
    assert height_in(order, pile) == least_stack(drawn)


@given(items())
@settings(max_examples=examples(100), deadline=None)
def test_stack_search_finds_the_least_stack(drawn: list[tuple[int, int]]) -> None:
    """By combinations: bound and padding meet at the least, and an order has it."""
    pile = Pile(drawn)
    search = StackSearch(pile, {})
    search.advance(100_000)
    assert search.bound == search.padding == least_padding(drawn)
    assert height_in(search.order, pile) == least_stack(drawn)


@given(items())
@settings(max_examples=examples(100), deadline=None)
def test_stack_search_by_prices_is_sound(drawn: list[tuple[int, int]]) -> None:
    """With too many combinations the bound and the padding found lie on either side of the least."""
    pile = Pile(drawn)
    search = StackSearch(pile, {}, most_subsets=0, most_banded=0)
    for _ in range(200):
        if search.done():
            break
        search.advance(100)
    assert search.done()
    assert search.bound <= least_padding(drawn) <= search.padding
    assert pile.padding(search.order) == search.padding


@given(instances(6))
@settings(max_examples=examples(100), deadline=None)
def test_towers_bound_the_arena(buffers: list[Buffer]) -> None:
    """The bound from stacks never exceeds the least arena, and the loads never exceed it."""
    instance = build(buffers)
    bound = Towers(instance).bound
    assert max(instance.loads) <= bound <= least_arena(buffers) // instance.unit


@pytest.mark.parametrize(
    ("sizes", "bound"),
    [
        pytest.param([(1024, 1040), (1024, 1040)], 1040 + 1008 + 1040, id="two ragged tiles, one gap"),
        pytest.param([(1024, 1040), (1024, 1040), (16, 1008)], 3088, id="a filler fills the gap"),
        pytest.param([(1024, 1040), (1024, 1040), (16, 16)], 3088, id="a filler too small changes nothing"),
        pytest.param([(128, 100)] * 3, 128 + 128 + 100, id="all but the topmost are rounded up"),
    ],
)
def test_stack_bounds_by_hand(sizes: list[tuple[int, int]], bound: int) -> None:
    """Buffers live at once: the bound in bytes."""
    instance = build([Buffer(f"b{i}", size, align, 0, 1) for i, (align, size) in enumerate(sizes)])
    assert Towers(instance).bound * instance.unit == bound


@given(instances(8))
@settings(max_examples=examples(60), deadline=None)
def test_table_never_asks_for_more_than_a_stack_needs(buffers: list[Buffer]) -> None:
    """What the search is told about a live set, on floors of all kinds, is no more than every order needs."""
    instance = build(buffers)
    if instance.period == 1:
        return
    table = PaddingTable(instance)
    members = max(instance.members, key=len)[:5]
    ragged = [index for index in members if instance.sizes[index] % instance.period]
    stack = [(instance.aligns[index], instance.sizes[index]) for index in ragged]
    left = sum(table.bits[index] for index in ragged)
    for floor in (0, 1, instance.period - 1, instance.period + 3):
        assert 0 <= table.padding(left, floor) <= min_padding_on(stack, floor)
