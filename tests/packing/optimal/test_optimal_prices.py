"""Prices of residues: a bound that holds, and the searches that they guide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.packing.optimal.closing import Closing
from smemdsl.packing.optimal.guided import guided_order
from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.prices import Prices
from tests.effort import examples
from tests.packing.optimal.test_optimal_bounds import items, least_padding

PILES = items(5)


def priced(pile: Pile, rounds: int) -> Prices:
    prices = Prices(pile, {})
    prices.advance(rounds)
    return prices


@given(PILES, st.sampled_from([0, 1, 30, 1000]))
@settings(max_examples=examples(100), deadline=None)
def test_the_bound_holds_after_any_number_of_rounds(drawn: list[tuple[int, int]], rounds: int) -> None:
    """However good the prices are: never more padding than the best of all orders has."""
    assert priced(Pile(drawn), rounds).bound <= least_padding(drawn)


@given(PILES, st.integers(1, 20))
@settings(max_examples=examples(60), deadline=None)
def test_guided_order_stacks_every_item(drawn: list[tuple[int, int]], width: int) -> None:
    """An order of all items, which no bound exceeds."""
    pile = Pile(drawn)
    prices = priced(pile, 30)
    order = guided_order(pile, prices.tariff(), width)
    assert sorted(order) == list(range(len(drawn)))
    assert prices.bound <= least_padding(drawn) <= pile.padding(order)


@given(PILES)
@settings(max_examples=examples(40), deadline=None)
def test_closing_is_sound(drawn: list[tuple[int, int]]) -> None:
    """Prices, then the stack they guide to, lowered: bound and padding lie on either side of the least."""
    pile = Pile(drawn)
    closing = Closing(pile, pile.padding(range(len(drawn))), {})
    while not closing.done():
        closing.advance(100)
    assert closing.bound <= least_padding(drawn) <= closing.padding
    assert pile.padding(closing.order or range(len(drawn))) == closing.padding


def test_prices_see_what_sums_do_not() -> None:
    """Four tiles that end 512 B short, and four fillers of 384 B.

    By sums, the fillers close the gaps of three tiles, as the fourth may end the stack. But a gap takes one
    filler, and 128 B of it stay empty: 3 * 128 is the least.
    """
    pile = Pile([(1024, 512)] * 4 + [(128, 384)] * 4)
    tiles, fillers = range(4), range(4, 8)
    assert pile.padding([item for pair in zip(tiles, fillers, strict=True) for item in pair]) == 3 * 128
    assert pile.quick_bound(pile.all, 0, pile.sums) == 0
    assert priced(pile, 1000).bound == 3 * 128


@pytest.mark.parametrize("count", [2, 3])
def test_known_prices_are_a_start(count: int) -> None:
    """A second pile of the same residues starts from the prices of the first, and its bound holds."""
    known: dict[tuple[int, int], list[float]] = {}
    first = Prices(Pile([(64, 20), (64, 40), (16, 24), (16, 12)]), known)
    first.advance(1000)
    drawn = [(64, 20), *[(64, 36)] * count, (16, 28)]
    second = Prices(Pile(drawn), known)
    assert list(known) == [(16, 4)]
    assert 0 < second.bound <= least_padding(drawn)
