"""The last means against the gap of a stack: prices of residues, then what they guide, and that lowered."""

from __future__ import annotations

from smemdsl.packing.optimal.guided import guided_order
from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.priced import PricedSearch, Tariff
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
    """Prices, one stack by them, and a search; can be stopped and continued."""

    def __init__(self, pile: Pile, padding: int, known: Known) -> None:
        self._pile = pile
        self._prices = Prices(pile, known)
        self._search: PricedSearch | None = None
        self._tariff: Tariff | None = None
        self._lowerings = _LOWERINGS
        self._guided: list[int] = []
        self.bound = self._prices.bound
        """No stack has less padding."""
        self.padding = padding
        """Of the lowest stack known."""
        self.order: list[int] | None = None
        """Its items from the bottom up, where it was found here."""

    def done(self) -> bool:
        """Whether the least stack is known, or there is no more to be done."""
        return self.bound >= self.padding or (self._search is not None and self._search.done())

    def only_proves(self) -> bool:
        """Whether the prices are found, and the stack that they guide to is lowered."""
        return self._search is not None

    def advance(self, steps: int) -> None:
        """Go on for as long as so many steps of a search take."""
        if self._search:
            self._search.advance(steps)
            self.bound = max(self.bound, self._search.bound)
            if self._search.order:
                self.padding, self.order = self._search.padding, self._search.order
            return
        if self._tariff:
            self._lower(self._tariff)
            return
        self._prices.advance(-(-steps // _STEPS_A_ROUND))
        self.bound = self._prices.bound
        if self._prices.done():
            self._tariff = self._prices.tariff()
            width = max(2, min(_WIDTH, _MOST_LOOKED_AT // len(self._pile.items) ** 2))
            self._guided = guided_order(self._pile, self._tariff, width)
            self._keep(self._guided)

    def _lower(self, tariff: Tariff) -> None:
        """Lower the stack that prices guided to; one as low as before is taken too, as it may fit better."""
        self._lowerings -= 1
        self._guided = lowered(self._pile, self._guided, _REINSERTIONS, self._lowerings)
        self._keep(self._guided)
        if not self._lowerings:
            self._search = PricedSearch(self._pile, tariff, self.padding)

    def _keep(self, order: list[int]) -> None:
        padding = self._pile.padding(order)
        if padding <= self.padding:
            self.padding, self.order = padding, order
