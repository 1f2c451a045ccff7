"""Whole prices of residues modulo the least alignment above the grain.

Count in grains modulo that alignment, the rung. Every item of a coarser alignment starts at a multiple of
it, and an item pays at least what its end costs more than its start; a grain that is skipped pays for a
price that falls. Along a stack the prices cancel, so what all items pay bounds the padding from below. Whole
prices, found by changing one or two of them as long as that raises the bound, come near the best there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from smemdsl.packing.optimal.pile import Pile

_MOST_FOR_PAIRS = 16
"""Residues up to which two prices are changed at once, or one by two grains."""


class Piece(NamedTuple):
    """An item in grains."""

    align: int
    size: int
    """Rounded up to the grain; modulo the period."""
    pad: int
    """Bytes of padding that it needs unless it is the topmost."""
    item: int
    """Which item of the pile it is."""


def pieces(pile: Pile) -> tuple[Piece, ...]:
    """The items of the pile in grains."""
    grain = pile.grain
    period = max(align for align, _ in pile.items)
    return tuple(
        Piece(align // grain, (residue + pad) % period // grain, pad, item)
        for item, ((align, residue), pad) in enumerate(zip(pile.items, pile.grain_pads, strict=True))
    )


class Rungs:
    """Prices of the residues modulo `rung`, and what they prove."""

    def __init__(self, listed: Iterable[Piece], rung: int, grain: int) -> None:
        self.rung = rung
        self._grain = grain
        listed = list(listed)
        self._base = sum(piece.pad for piece in listed)
        self._fillers = Counter(piece.size % rung for piece in listed if piece.align == 1)
        self._rigid = Counter(piece.size % rung for piece in listed if piece.align > 1)
        self._tops: dict[tuple[bool, int], int] = {}
        for piece in listed:
            kind = piece.align > 1, piece.size % rung
            self._tops[kind] = max(self._tops.get(kind, 0), piece.pad)
        self.residues: list[int] = []
        """By residue; they fall by no more than 1 from one to the next."""
        self.bound = 0
        """No stack has less padding, in bytes."""
        self._improve()

    def filler(self, size: int) -> int:
        """What a filler pays at least, wherever it starts."""
        return _least_rise(self.residues, size % self.rung)

    def rigid(self, size: int) -> int:
        """What an item that starts at a multiple of the rung pays."""
        return self.residues[size % self.rung] - self.residues[0]

    def _improve(self) -> None:
        falling = [-(-residue % self.rung) for residue in range(self.rung)]
        ascents = [self._ascent(start) for start in ([0] * self.rung, falling)]
        self.bound, self.residues = max(ascents, key=lambda ascent: ascent[0])

    def _ascent(self, prices: list[int]) -> tuple[int, list[int]]:
        bound = self._proved(prices)
        better = True
        while better:
            better = False
            for changed in _changes(prices):
                found = self._proved(changed)
                if found > bound:
                    prices, bound, better = changed, found, True
                    break
        return bound, prices

    def _proved(self, prices: list[int]) -> int:
        """The least padding that these prices allow, over all kinds of the topmost item."""
        fillers = {size: _least_rise(prices, size) for size in self._fillers}
        paid = sum(count * fillers[size] for size, count in self._fillers.items())
        paid += sum(count * (prices[size] - prices[0]) for size, count in self._rigid.items())
        highest = max(prices) - prices[0]
        return self._base + min(
            self._grain * (paid - (prices[size] - prices[0] if rigid else fillers[size] + highest)) - pad
            for (rigid, size), pad in self._tops.items()
        )


def _least_rise(prices: list[int], size: int) -> int:
    return min(end - start for start, end in zip(prices, prices[size:] + prices[:size], strict=True))


def _changes(prices: list[int]) -> Iterator[list[int]]:
    """Prices with one or two of them changed a little."""
    places = range(len(prices))
    for place in places:
        for rise in (1, -1, 2, -2) if len(prices) <= _MOST_FOR_PAIRS else (1, -1):
            yield _changed(prices, (place,), rise)
    if len(prices) <= _MOST_FOR_PAIRS:
        for pair in combinations(places, 2):
            for rise in (1, -1):
                yield _changed(prices, pair, rise)


def _changed(prices: list[int], places: tuple[int, ...], rise: int) -> list[int]:
    changed = prices[:]
    for place in places:
        changed[place] += rise
    for _ in range(2):
        for place in range(len(changed) - 1, -1, -1):
            changed[place] = min(changed[place], changed[(place + 1) % len(changed)] + 1)
    return changed
