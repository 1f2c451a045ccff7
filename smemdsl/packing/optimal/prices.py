"""A bound on the padding of a pile from a linear relaxation: what a top is worth, by its residue.

Count in grains modulo the least common multiple of the alignments: a stack is a trail through residues that
takes every item once, from a multiple of the item's alignment to where the item ends, and pays for each grain
it skips. Give each residue a price, and let every item pay what its end costs more than its start: along a
trail the prices cancel, so that each item may choose its own cheapest start and still the sum is no more than
the padding. The best prices make that the bound of the relaxation in which parts of items may be stacked.

Prices are found by gradient ascent on a smoothed bound (the least of several becomes a soft minimum, ever
harder), in the manner of Adam (Kingma and Ba 2015). Whatever comes out is rounded to a fraction of which all
sums are exact, so that the bound needs no trust in the ascent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from math import exp, lcm, log, sqrt
from operator import add, mul, sub
from typing import NamedTuple

from smemdsl.packing.optimal.pile import MOST_PRICED, Pile

_ROUNDS = 100
_ROUNDS_SAVED = 60
"""Where prices of a similar pile are known."""
_SOFTEST, _HARDEST = 0.25, 0.004
"""Of the soft minimum: the difference that counts, in grains."""
_LONGEST, _SHORTEST = 0.5, 0.005
"""Steps of a price, in grains."""
_WASTE_FLOW = 3.0
"""More grains are hardly ever skipped at one residue."""
_FRACTION = 1 << 10
_MOST_RESIDUES = 256
"""Improved round by round; up to `MOST_PRICED` they stay as they begin."""


class _Kind(NamedTuple):
    """Items that are alike but for the bytes between their end and the grain."""

    align: int
    size: int


Known = dict[tuple[int, int], list[float]]
"""Prices found, by grain and number of residues: piles of one instance are much alike."""


class Tariff(NamedTuple):
    """What a part of a stack will at least pay, in fractions of a grain that make every figure whole."""

    residues: list[int]
    """By the grain that the top is in, modulo the period."""
    items: list[int]
    """By item of the pile that is left."""
    fraction: int
    """How many make a grain."""


class Prices:
    """Prices of residues, improved round by round; can be stopped and continued.

    They start from those known, and are added there when done.
    """

    def __init__(self, pile: Pile, known: Known) -> None:
        self._pile = pile
        grain = pile.grain
        many = lcm(*(align for align, _ in pile.items)) // grain
        priced = many <= MOST_PRICED
        self._many = many if priced else 1  # one price for all is a tariff too
        self._kinds = [
            _Kind(align // grain, (residue + pad) // grain % self._many)
            for (align, residue), pad in zip(pile.items, pile.grain_pads, strict=True)
        ]
        self._counts = Counter(self._kinds)
        self._tops = sorted(set(zip(self._kinds, pile.grain_pads, strict=True)))
        self._round = _ROUNDS if many > _MOST_RESIDUES else 0
        self._prices = [0.0] * self._many
        self._mean = [0.0] * self._many
        self._square = [0.0] * self._many
        self._known = known
        self.bound = 0
        """No stack has less padding."""
        for level in pile.levels if priced else ():
            self._try([float(-place % (level.align // grain)) for place in range(self._many)])
        start = known.get((grain, self._many))
        if start is not None and not self.done():
            self._round = _ROUNDS_SAVED
            self._prices = start
            self._try(start)

    def done(self) -> bool:
        """Whether the prices can be improved no further."""
        return self._round >= _ROUNDS

    def advance(self, rounds: int) -> None:
        """Improve the prices for so many rounds at most."""
        for _ in range(min(rounds, _ROUNDS - self._round)):
            self._round += 1
            share = self._round / _ROUNDS
            self._climb(_between(_SOFTEST, _HARDEST, share), _between(_LONGEST, _SHORTEST, share))
        self._try(self._prices)
        if self.done():
            self._known[self._pile.grain, self._many] = self._prices

    def tariff(self) -> Tariff:
        """What the best prices say about parts of a stack."""
        prices = _payable([round(price * _FRACTION) for price in self._prices], _FRACTION)
        least = self._least(prices)
        return Tariff(
            prices,
            [least[kind] for kind in self._kinds],
            _FRACTION,
        )

    def _least(self, prices: list[int]) -> dict[_Kind, int]:
        """For each kind, the least that its end costs more than its start."""
        twice, many = prices + prices, self._many
        return {
            kind: min(map(sub, twice[kind.size : kind.size + many : kind.align], prices[:: kind.align]))
            for kind in self._counts
        }

    def _try(self, prices: list[float]) -> None:
        """Keep the bound that these prices give, and the prices where it is the best."""
        found = self._exact([round(price * _FRACTION) for price in prices])
        if found > self.bound:
            self.bound, self._prices = found, prices

    def _exact(self, prices: list[int]) -> int:
        """The bound, in whole numbers; padding differs from what the topmost item gains by whole grains."""
        prices = _payable(prices, _FRACTION)
        least = self._least(prices)
        paid = prices[0] + sum(count * least[kind] for kind, count in self._counts.items())
        grain, base = self._pile.grain, self._pile.sums[0]
        return min(
            base - pad - grain * ((max(prices[:: kind.align]) + least[kind] - paid) // _FRACTION)
            for kind, pad in self._tops
        )

    def _climb(self, softness: float, step: float) -> None:
        early = self._round
        slope = self._slope(softness)
        self._mean = [0.9 * old + 0.1 * new for old, new in zip(self._mean, slope, strict=True)]
        self._square = [0.99 * old + 0.01 * new * new for old, new in zip(self._square, slope, strict=True)]
        scale = step / (1 - 0.9**early)
        spread = 1 / (1 - 0.99**early)
        self._prices = [
            price + scale * way / (sqrt(spread * size) + 1e-9)
            for price, way, size in zip(self._prices, self._mean, self._square, strict=True)
        ]

    def _slope(self, softness: float) -> list[float]:
        """How the soft bound changes with each price."""
        many, prices = self._many, self._prices
        twice = prices + prices
        flow = [0.0] * (2 * many)
        flow[0] = 1.0
        flow[1 : many + 1] = self._waste(softness)
        flow[:many] = map(sub, flow[:many], flow[1 : many + 1])
        soft = {}
        for kind in self._counts:
            ends = twice[kind.size : kind.size + many : kind.align]
            soft[kind] = _soft_least(list(map(sub, ends, prices[:: kind.align])), softness)
        counts: dict[_Kind, float] = dict(self._counts)
        for kind, share, starts in self._topmost(soft, softness):
            counts[kind] -= share
            flow[: many : kind.align] = map(sub, flow[: many : kind.align], map(mul, starts, repeat(share)))
        for kind, (_, weights) in soft.items():
            moved = list(map(mul, weights, repeat(counts[kind])))
            begin, end = slice(0, many, kind.align), slice(kind.size, kind.size + many, kind.align)
            flow[begin] = map(sub, flow[begin], moved)
            flow[end] = map(add, flow[end], moved)
        return list(map(add, flow[:many], flow[many:]))

    def _waste(self, softness: float) -> list[float]:
        """Grains skipped at each residue: none where a grain costs more than the prices differ."""
        prices = self._prices
        return [
            _WASTE_FLOW / (1 + exp(min(60.0, max(-60.0, (after + 1 - price) / softness))))
            for price, after in zip(prices, prices[1:] + prices[:1], strict=True)
        ]

    def _topmost(
        self, soft: dict[_Kind, tuple[float, list[float]]], softness: float
    ) -> Iterator[tuple[_Kind, float, list[float]]]:
        """How much of each kind is topmost, and where that starts."""
        aligns = {kind.align for kind in soft}
        ends = {align: _soft_least([-price for price in self._prices[::align]], softness) for align in aligns}
        values = [ends[kind.align][0] - pad / self._pile.grain - soft[kind][0] for kind, pad in self._tops]
        for (kind, _), share in zip(self._tops, _soft_least(values, softness)[1], strict=True):
            yield kind, share, ends[kind.align][1]


def _soft_least(values: list[float], softness: float) -> tuple[float, list[float]]:
    """A smooth stand-in for the least value, and the weight of each value in it."""
    least = min(values)
    weights = [exp(max(-60.0, (least - value) / softness)) for value in values]
    total = sum(weights)
    return least - softness * log(total), [weight / total for weight in weights]


def _payable(prices: list[int], grain: int) -> list[int]:
    """The greatest prices below these that fall by no more than a grain a grain."""
    lowest = prices.index(min(prices))
    rotated = prices[lowest:] + prices[:lowest]
    following = rotated[0]
    for place in range(len(rotated) - 1, -1, -1):
        following = rotated[place] = min(rotated[place], following + grain)
    return rotated[len(rotated) - lowest :] + rotated[: len(rotated) - lowest]


def _between(first: float, last: float, share: float) -> float:
    """From the first to the last by equal factors."""
    return first * exp(share * log(last / first))
