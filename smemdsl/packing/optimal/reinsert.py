"""A lower stack from a low one: some items are taken out and put back at the best places, again and again.

The others keep their order. By dynamic programming over how many of those are stacked and which of the items
taken out: for the same ones stacked, a lower top is never worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smemdsl.packing.optimal.pile import Item, Pile

_TAKEN = 5
"""Items at once: the work doubles with each, and what is found grows little from here on."""
_FAR = 1 << 62


def lowered(pile: Pile, order: list[int], rounds: int, seed: int) -> list[int]:
    """Items from the bottom up with no more padding than in this order, after so many rounds."""
    random = Random(seed)
    many = min(_TAKEN, len(order))
    for _ in range(rounds):
        taken = random.sample(order, many)
        order = _Insertion(pile, [item for item in order if item not in taken], taken).order(random)
    return order


class _Insertion:
    """All ways to put the items taken out back between the others."""

    def __init__(self, pile: Pile, kept: Sequence[int], taken: Sequence[int]) -> None:
        self._kept, self._taken = kept, taken
        self._items = pile.items
        subsets = range(1 << len(taken))
        own = [(1 << place, *pile.items[item]) for place, item in enumerate(taken)]
        moves = [[move for move in own if not subset & move[0]] for subset in subsets]
        tops = [0] + [_FAR] * (len(subsets) - 1)
        self._tops = [_inserted(tops, moves)]
        """The lowest top by subset of those put back, for each number of the others."""
        for item in kept:
            align, residue = pile.items[item]
            tops = [top + -top % align + residue for top in self._tops[-1]]
            self._tops.append(_inserted(tops, moves))

    def order(self, random: Random) -> list[int]:
        """One of the lowest stacks, from the bottom up."""
        found: list[int] = []
        below, subset = len(self._kept), len(self._tops[0]) - 1
        while below or subset:
            top = self._tops[below][subset]
            ways = [
                (item, below, subset ^ 1 << place)
                for place, item in enumerate(self._taken)
                if subset >> place & 1
            ]
            if below:
                ways.append((self._kept[below - 1], below - 1, subset))
            ways = [way for way in ways if _laid(self._tops[way[1]][way[2]], self._items[way[0]]) == top]
            item, below, subset = random.choice(ways)
            found.append(item)
        return found[::-1]


def _inserted(tops: list[int], moves: list[list[tuple[int, int, int]]]) -> list[int]:
    """The lowest tops once any of the items taken out may be put here."""
    tops = tops[:]
    for subset, possible in enumerate(moves):
        top = tops[subset]
        for bit, align, residue in possible:
            tops[subset | bit] = min(tops[subset | bit], top + -top % align + residue)
    return tops


def _laid(top: int, item: Item) -> int:
    align, residue = item
    return top + -top % align + residue
