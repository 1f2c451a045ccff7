"""Placements by simulated annealing of the order in which buffers are laid, each on those laid before.

Every canonical placement is one that some order lays: from the lowest offset to the highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from random import Random

from smemdsl.packing.optimal.greedy import Placement
from smemdsl.packing.optimal.instance import Instance

_SEED = 1
_MOVES_A_BUFFER = 100
_HOTTEST = (1 / 32, 1 / 16, 1 / 8)
"""How much higher is accepted when a round begins, in turn; as a share of the period or of a usual size."""
_COLDEST = 1 / 512


class Annealing:
    """Rounds of changes to an order; can be stopped and continued."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._random = Random(_SEED)
        self._order: list[int] = []
        self._tops: list[list[int]] = []
        self._height = 0
        self._scale = instance.period if instance.period > 1 else sum(instance.sizes) / len(instance.sizes)
        self.moves = 0
        """Changes tried so far."""

    def begin(self, placement: Placement) -> None:
        """Go on from this placement."""
        self._order = sorted(range(len(placement.offsets)), key=lambda index: placement.offsets[index])
        self._tops = [[0] * len(self._instance.members)]
        laid = self._lay(0, self._order, None)
        assert laid is not None
        self._tops += laid
        self._height = max(self._tops[-1])

    def advance(self, moves: int, height: int) -> Placement | None:
        """Try so many changes; a placement that is lower than this height, as soon as one is found."""
        length = _MOVES_A_BUFFER * len(self._order)
        for _ in range(moves):
            turn, done = divmod(self.moves, length)
            hottest = _HOTTEST[turn % len(_HOTTEST)]
            self.moves += 1
            self._change(self._scale * hottest * (_COLDEST / hottest) ** (done / length))
            if self._height < height:
                return self._placement()
        return None

    def _change(self, heat: float) -> None:
        """Swap two buffers or move one past some others, where that is not much higher."""
        random, order = self._random.random, self._order
        one, other = int(random() * len(order)), int(random() * len(order))
        low, high = min(one, other), max(one, other)
        if low == high:
            return
        kind, middle = random(), order[low + 1 : high]
        if kind < 0.5:
            changed = [order[high], *middle, order[low]]
        elif kind < 0.75:
            changed = [*middle, order[high], order[low]]
        else:
            changed = [order[high], order[low], *middle]
        changed += order[high + 1 :]
        laid = self._lay(low, changed, self._height - heat * log(1 - random()))
        if laid is not None:
            self._order[low:] = changed
            self._tops[low + 1 :] = laid
            self._height = max(laid[-1])

    def _lay(self, low: int, order: Sequence[int], most: float | None) -> list[list[int]] | None:
        """The tops of all live sets after each buffer from this place on; None where one exceeds the most."""
        sizes, aligns = self._instance.sizes, self._instance.aligns
        first, last = self._instance.first, self._instance.last
        tops, found = self._tops[low], []
        for index in order:
            start, end = first[index], last[index]
            top = max(tops[start:end])
            top += -top % aligns[index] + sizes[index]
            if most is not None and top > most:
                return None
            tops = tops[:]
            tops[start:end] = [top] * (end - start)
            found.append(tops)
        return found

    def _placement(self) -> Placement:
        offsets = [0] * len(self._order)
        for index, tops in zip(self._order, self._tops[1:], strict=True):
            offsets[index] = tops[self._instance.first[index]] - self._instance.sizes[index]
        return Placement(tuple(offsets), self._height)
