"""All combinations at once: the least stack, a bound that never passes it, and an order that has it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.packing.optimal.bands import Bands, applies
from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.rungs import Rungs, pieces
from smemdsl.packing.optimal.subsets import Subsets
from tests.effort import examples
from tests.packing.optimal.exhaustive import least_stack
from tests.packing.optimal.test_optimal_bounds import height_in, least_padding

CHAINS = st.sampled_from([(16, 128, 1024), (4, 16, 64), (1, 4, 8), (2, 4, 8), (16, 128), (1, 8)])


@st.composite
def piles(draw: st.DrawFn, most: int) -> list[tuple[int, int]]:
    """(alignment, size) of two or three alignments, each a multiple of those below."""
    chain = draw(CHAINS)
    item = st.tuples(st.sampled_from(chain), st.integers(1, chain[-1] - 1))
    ends = [(chain[0], draw(st.integers(1, chain[-1] - 1))), (chain[-1], draw(st.integers(1, chain[-1] - 1)))]
    return ends + draw(st.lists(item, max_size=most - 2))


@given(piles(5))
@settings(max_examples=examples(100), deadline=None)
def test_whole_prices_stay_below_the_least_stack(drawn: list[tuple[int, int]]) -> None:
    """What all items pay is no more than the padding of the best of all orders."""
    pile = Pile(drawn)
    rung = sorted({align for align, _ in drawn})[1] // pile.grain
    assert Rungs(pieces(pile), rung, pile.grain).bound <= least_padding(drawn)


@given(piles(5))
@settings(max_examples=examples(100), deadline=None)
def test_combinations_find_the_least_stack(drawn: list[tuple[int, int]]) -> None:
    """Step by step the bound stays below what all orders give, and an order that has it is found."""
    pile, least = Pile(drawn), least_padding(drawn)
    bands = Bands(pile)
    while not bands.done():
        bands.advance(1)
        assert bands.bound <= least
    order = bands.order()
    assert bands.padding == pile.padding(order) == least
    assert sorted(order) == list(range(len(drawn)))
    assert height_in(order, pile) == least_stack(drawn)


@given(piles(11))
@settings(max_examples=examples(40), deadline=None)
def test_combinations_agree_with_subsets(drawn: list[tuple[int, int]]) -> None:
    """Eleven items are too many for every order: one combination after the other gives the same."""
    pile = Pile(drawn)
    bands, subsets = Bands(pile), Subsets(pile)
    subsets.advance(1 << 12)
    while not bands.done():
        bands.advance(100)
    assert bands.padding == pile.padding(bands.order()) == subsets.best()[0]


@pytest.mark.parametrize(
    ("aligns", "expected"),
    [
        ((16, 128, 1024), True),
        ((16, 128), True),
        ((16,), False),
        ((4, 6), False),
        ((4, 8, 12), False),
        ((1, 2, 4, 8), False),
        ((1, 128, 1024), False),
    ],
)
def test_what_combinations_apply_to(aligns: tuple[int, ...], expected: bool) -> None:
    """Two or three alignments, each a multiple of those below, the second up to 64 times the first."""
    assert applies(Pile([(align, 1) for align in aligns])) is expected
