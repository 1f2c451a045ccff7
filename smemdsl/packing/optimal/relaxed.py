"""The least stack of a pile with two alignments above the grain, by way of its relaxation."""

from __future__ import annotations

from smemdsl.packing.optimal.bands import Bands, applies
from smemdsl.packing.optimal.lift import Lift
from smemdsl.packing.optimal.pile import Pile

_LIFTINGS = 200
_STEPS_A_LIFTING = 4
"""Of a search, that take as long."""


class Relaxed:
    """First the least stack of the relaxation, then stacks of the pile in its pattern.

    Can be stopped and continued.
    """

    def __init__(self, pile: Pile, relaxed: Pile) -> None:
        self._pile, self._relaxed = pile, relaxed
        self._bands = Bands(relaxed)
        self._lift: Lift | None = None
        self._left = _LIFTINGS
        self.bound = self._bands.bound
        """No stack has less padding."""
        self.order: list[int] = []
        """Items of the best stack found, from the bottom up; empty before there is one."""
        self.padding = 0
        """Of that stack."""

    def done(self) -> bool:
        """Whether the least stack is known, or there is no more to be done."""
        return not self._left or (bool(self.order) and self.padding <= self.bound)

    def advance(self, steps: int) -> None:
        """Go on for as long as so many steps of a search take."""
        if self._lift is None:
            self._bands.advance(steps)
            self.bound = max(self.bound, self._bands.bound)
            if self._bands.done():
                self._lift = Lift(self._pile, [self._relaxed.items[item] for item in self._bands.order()])
            return
        for _ in range(-(-steps // _STEPS_A_LIFTING)):
            if self.done():
                return
            self._left -= 1
            order = self._lift.order()
            padding = self._pile.padding(order)
            if not self.order or padding < self.padding:
                self.order, self.padding = order, padding


def relaxable(pile: Pile) -> Relaxed | None:
    """The search for a pile, None where it does not apply."""
    if len(pile.levels) != 2:
        return None
    relaxed = pile.relaxed()
    return Relaxed(pile, relaxed) if applies(relaxed) else None
