"""The last means against the gap of a stack: prices of residues, then what they guide, and that lowered."""

from __future__ import annotations

from smemdsl.packing.optimal.guided import guided_order
from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.prices import Known, Prices
from smemdsl.packing.optimal.reinsert import lowered

_STEPS_A_ROUND = 5
"""Steps of a search that take as long as one round of the prices."""
_WIDTH = 10
_MOST_LOOKED_AT = 100_000
_LOWERINGS = 6
_REINSERTIONS = 10
"""In each lowering."""


class Closing:
    """Prices, and one stack by them, lowered; can be stopped and continued."""

    def __init__(self, pile: Pile, padding: int, known: Known) -> None:
        self._pile = pile
        self._prices = Prices(pile, known)
        self._lowerings = _LOWERINGS
        self._guided: list[int] = []
        """The stack that the prices guide to; empty before they are found."""
        self.bound = self._prices.bound
        """No stack has less padding."""
        self.padding = padding
        """Of the lowest stack known."""
        self.order: list[int] | None = None
        """Its items from the bottom up, where it was found here."""

    def done(self) -> bool:
        """Whether the least stack is known, or there is no more to be done."""
        return self.bound >= self.padding or not self._lowerings

    def advance(self, steps: int) -> None:
        """Go on for as long as so many steps of a search take."""
        if self._guided:
            self._lower()
            return
        self._prices.advance(-(-steps // _STEPS_A_ROUND))
        self.bound = self._prices.bound
        if self._prices.done():
            width = max(2, min(_WIDTH, _MOST_LOOKED_AT // len(self._pile.items) ** 2))
            self._guided = guided_order(self._pile, self._prices.tariff(), width)
            self._keep(self._guided)

    def _lower(self) -> None:
        """Lower the stack that prices guided to; one as low as before is taken too, as it may fit better."""
        self._lowerings -= 1
        self._guided = lowered(self._pile, self._guided, _REINSERTIONS, self._lowerings)
        self._keep(self._guided)

    def _keep(self, order: list[int]) -> None:
        padding = self._pile.padding(order)
        if padding <= self.padding:
            self.padding, self.order = padding, order
