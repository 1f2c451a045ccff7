"""Items taken out and put back: never a higher stack, and the least one where all are taken out."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.reinsert import lowered
from tests.effort import examples
from tests.packing.optimal.test_optimal_bands import piles
from tests.packing.optimal.test_optimal_bounds import least_padding


@given(piles(5), st.integers(0, 3))
@settings(max_examples=examples(100), deadline=None)
def test_all_taken_out_give_the_least_stack(drawn: list[tuple[int, int]], seed: int) -> None:
    """Up to five items are all put back anew, which is the same as trying every order."""
    pile = Pile(drawn)
    order = lowered(pile, list(range(len(drawn))), 1, seed)
    assert sorted(order) == list(range(len(drawn)))
    assert pile.padding(order) == least_padding(drawn)


@given(piles(12), st.integers(0, 3), st.randoms(use_true_random=False))
@settings(max_examples=examples(100), deadline=None)
def test_no_stack_becomes_higher(drawn: list[tuple[int, int]], seed: int, random: Random) -> None:
    """Round by round the padding falls or stays, and every item is there once."""
    pile, order = Pile(drawn), list(range(len(drawn)))
    random.shuffle(order)
    for _ in range(3):
        before, order = pile.padding(order), lowered(pile, order, 1, seed)
        assert pile.padding(order) <= before
        assert sorted(order) == list(range(len(drawn)))
