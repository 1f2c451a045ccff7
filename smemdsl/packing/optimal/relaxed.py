"""The least stack of a pile with two alignments above the grain, by way of relaxations.

In a relaxation nothing needs more than some alignment between those two: a least stack of it bounds those of
the pile from below, and there are far fewer combinations. From one to the next that alignment doubles.
"""

from __future__ import annotations

from smemdsl.packing.optimal.bands import Bands, applies
from smemdsl.packing.optimal.lift import Lift
from smemdsl.packing.optimal.pile import Pile

_LIFTINGS = 80
_LIFTINGS_A_STACK = 10
_STEPS_A_LIFTING = 4
"""Of a search, that take as long."""
_MOST_COMBINATIONS = 1 << 20


class Relaxed:
    """For each relaxation first its least stack, then stacks of the pile in that pattern.

    Can be stopped and continued.
    """

    def __init__(self, pile: Pile) -> None:
        self._pile = pile
        self._period, self._last = (level.align for level in pile.levels)
        self._bands: Bands | None = None
        self._lift: Lift | None = None
        self._left = 0
        self.bound = 0
        """No stack has less padding."""
        self.order: list[int] = []
        """Items of the best stack found, from the bottom up; empty before there is one."""
        self.padding = 0
        """Of that stack."""
        self._begin()

    def done(self) -> bool:
        """Whether the least stack is known, or there is no more to be done."""
        return self._bands is None or self._is_least()

    def _is_least(self) -> bool:
        return bool(self.order) and self.padding <= self.bound

    def advance(self, steps: int) -> None:
        """Go on for as long as so many steps of a search take."""
        if self._bands is None:
            return
        if self._lift is None:
            self._bands.work(steps)
            self.bound = max(self.bound, self._bands.bound)
            if self._bands.given_up:
                self._bands = None
            elif self._bands.done():
                self._lift = Lift(self._pile, self._relaxed, self._bands.order(), self._period)
                self._left = _LIFTINGS
            return
        self._lift_some(self._lift, min(self._left, -(-steps // _STEPS_A_LIFTING)))
        if not self._left and not self._is_least():
            self._period *= 2
            self._begin()

    def _begin(self) -> None:
        """Go on to this period, where it is below the last and there are few enough combinations."""
        self._bands = self._lift = None
        if self._period >= self._last or self._last % self._period:
            return
        self._relaxed = self._pile.relaxed(self._period)
        if applies(self._relaxed):
            bands = Bands(self._relaxed)
            if bands.states <= _MOST_COMBINATIONS:
                bands.learn(self.bound)
                self._bands = bands

    def _lift_some(self, lift: Lift, tries: int) -> None:
        for _ in range(tries):
            self._left -= 1
            order = lift.order()
            padding = self._pile.padding(order)
            if not self.order or padding < self.padding:
                self.order, self.padding = order, padding
            if self._is_least():
                return

    def next_order(self) -> list[int]:
        """Another stack as low as the best one found; empty where none is at hand."""
        for _ in range(_LIFTINGS_A_STACK if self._lift and self._is_least() else 0):
            assert self._lift is not None
            order = self._lift.order()
            if self._pile.padding(order) <= self.padding:
                return order
        return []
