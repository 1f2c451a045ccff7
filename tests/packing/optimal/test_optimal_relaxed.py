"""The relaxation of a pile never has more padding, and what is lifted from it is a stack of the pile."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.packing.optimal.pile import Item, Pile
from smemdsl.packing.optimal.relaxed import Relaxed
from smemdsl.packing.optimal.subsets import Subsets
from tests.effort import examples
from tests.packing.optimal.test_optimal_bounds import least_padding

CHAINS = st.sampled_from([(16, 128, 1024), (4, 16, 64), (1, 4, 8), (2, 4, 32)])


@st.composite
def piles(draw: st.DrawFn, most: int) -> list[Item]:
    """(alignment, size) of three alignments, each a multiple of those below."""
    chain = draw(CHAINS)
    size = st.integers(1, chain[-1] - 1)
    each = [(align, draw(size)) for align in chain]
    return each + draw(st.lists(st.tuples(st.sampled_from(chain), size), max_size=most - 3))


def searched(pile: Pile) -> Relaxed:
    """All there is to do done."""
    found = Relaxed(pile)
    while not found.done():
        found.advance(50)
    return found


@given(piles(5))
@settings(max_examples=examples(100), deadline=None)
def test_the_relaxation_bounds_all_orders(drawn: list[Item]) -> None:
    """No order has less padding than the bound, and none of those found has less than the best."""
    pile, least = Pile(drawn), least_padding(drawn)
    found = searched(pile)
    assert found.bound <= least
    if found.order:
        assert least <= found.padding == pile.padding(found.order)
        assert sorted(found.order) == list(range(len(drawn)))


@given(piles(11))
@settings(max_examples=examples(40), deadline=None)
def test_the_relaxation_bounds_larger_piles(drawn: list[Item]) -> None:
    """Eleven items are too many for every order: the least stack of all subsets is in between too."""
    pile = Pile(drawn)
    subsets = Subsets(pile)
    subsets.advance(1 << 12)
    found = searched(pile)
    assert found.bound <= subsets.best()[0]
    if found.order:
        assert subsets.best()[0] <= found.padding == pile.padding(found.order)
        assert sorted(found.order) == list(range(len(drawn)))


@pytest.mark.parametrize(
    ("items", "bound", "padding"),
    [
        (
            [(16, 5), (16, 5), (1, 3), (4, 4)],
            3,
            4,
        ),  # 5 + 3 + 4 ends at 12; modulo 8, 5 + 3 + 5 ends 3 below 16
        ([(16, 5), (16, 5), (1, 3), (4, 8)], 0, 0),  # 5 + 3 + 8 ends at 16
        ([(16, 5), (16, 5), (1, 2), (4, 8)], 1, 1),  # 5 + 2 ends 1 below 8
    ],
)
def test_by_hand(items: list[Item], bound: int, padding: int) -> None:
    """The towers of 5 end at 1 modulo 4; a filler can make that up, and a block what is left to 16."""
    found = searched(Pile(items))
    assert (found.bound, found.padding) == (bound, padding)


def test_other_stacks_are_as_low() -> None:
    """Six towers of 5 and what makes up for them can be stacked in many orders without padding."""
    pile = Pile([(16, 5)] * 6 + [(4, 8)] * 5 + [(1, 3)] * 5)
    found = searched(pile)
    orders = [found.next_order() for _ in range(20)]
    assert {pile.padding(order) for order in orders} == {0}
    assert all(sorted(order) == list(range(16)) for order in orders)
    assert len({tuple(order) for order in orders}) > 1


def test_where_there_is_nothing_to_relax() -> None:
    """Multiples of 4 cause no padding where nothing needs more than that, and 3 alone is no stack."""
    found = Relaxed(Pile([(16, 4), (4, 8), (1, 3)]))
    assert found.done()
    assert (found.bound, found.order, found.next_order()) == (0, [], [])
