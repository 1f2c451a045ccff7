"""The strong half of the lower bound: each live set is a stack, and a stack has padding.

Buffers that are live together lie one above the other, in some order, whatever else happens; so the least
stack of every live set, padding included, bounds the arena. Buffers whose size is a multiple of every
alignment go to the bottom and count with their size alone.
"""

from __future__ import annotations

from functools import cached_property

from smemdsl.packing.optimal.instance import Instance
from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.prices import Known
from smemdsl.packing.optimal.stack import StackSearch

_FIRST_TOWERS = 3
_FIRST_STEPS = 100
_MOST_ITEMS = 200


class Tower:
    """One live set as a stack."""

    def __init__(self, instance: Instance, live_set: int, known: Known) -> None:
        sizes, aligns, period = instance.sizes, instance.aligns, instance.period
        members = instance.members[live_set]
        listed = sorted(
            ((aligns[index], sizes[index] % period, index) for index in members if sizes[index] % period),
            reverse=True,
        )
        self._known = known
        self._bottom = [index for index in members if sizes[index] % period == 0]
        self._indexes = [index for _, _, index in listed]
        self._load = instance.loads[live_set]
        self._pile = Pile((align, residue) for align, residue, _ in listed)
        self.bound = self._load + self._pile.sharp_bound(self._pile.all, 0, self._pile.sums)
        """No stack of the live set is lower."""
        self.height = _coarse_first_height(instance, live_set)
        """Height of the lowest stack found."""
        self.open = len(listed) <= _MOST_ITEMS
        """Whether more steps may tell more."""

    @cached_property
    def _search(self) -> StackSearch:
        return StackSearch(self._pile, self._known)

    def advance(self, most_steps: int) -> None:
        """Search for a lower stack or a higher bound."""
        self._search.advance(most_steps)
        self.bound = self._load + self._search.bound
        self.height = min(self.height, self._load + self._search.padding)
        self.open = not self._search.done()

    def is_certain_soon(self) -> bool:
        """Whether going on for a short time gives the least stack."""
        return self._search.is_certain_soon()

    def only_proves(self) -> bool:
        """Whether more steps will hardly find a lower stack."""
        return self._search.only_proves()

    def order(self) -> list[int]:
        """The buffers of the lowest stack found by search, from the bottom up."""
        return self._stacked(self._search.order)

    def next_order(self) -> list[int]:
        """The buffers of a stack as low as that, another one where there are more."""
        return self._stacked(self._search.next_order())

    def _stacked(self, items: list[int]) -> list[int]:
        return self._bottom + [self._indexes[item] for item in items]


class Towers:
    """The live sets whose stacks may bound the arena more than sizes alone do."""

    def __init__(self, instance: Instance) -> None:
        self.bound = max(instance.loads)
        """No placement is lower."""
        self._towers: list[Tower] = []
        self._searched: list[Tower] = []
        if instance.period == 1:
            return
        known: Known = {}
        for live_set in sorted(range(len(instance.loads)), key=lambda index: -instance.loads[index]):
            if _coarse_first_height(instance, live_set) > self.bound:
                self._towers.append(Tower(instance, live_set, known))
                self.bound = max(self.bound, self._towers[-1].bound)
        for _ in range(_FIRST_TOWERS):
            self.raise_bound(_FIRST_STEPS)

    def orders(self) -> list[list[int]]:
        """Good stacks of the live sets searched so far, the highest first."""
        return [tower.order() for tower in sorted(self._searched, key=lambda tower: -tower.height)]

    def next_stack(self) -> tuple[int, list[int]]:
        """Height and buffers of a stack of the highest live set searched, another one each time, if any."""
        highest = max(self._searched, key=lambda tower: tower.height, default=None)
        return (highest.height, highest.next_order()) if highest else (0, [])

    def are_certain_soon(self) -> bool:
        """Whether the least stack will be found soon where the bound may rise most."""
        highest = self._highest()
        return highest is not None and highest.is_certain_soon()

    def height(self) -> int:
        """Of the lowest stack found where the bound may rise most; 0 where all is searched."""
        highest = self._highest()
        return highest.height if highest else 0

    def only_prove(self) -> bool:
        """Whether more steps where the bound may rise most will hardly find lower stacks."""
        highest = self._highest()
        return highest is not None and highest.only_proves()

    def raise_bound(self, most_steps: int) -> list[int] | None:
        """Search where the bound may rise most: the best stack there, None where all is searched."""
        highest = self._highest()
        if highest is None:
            return None
        highest.advance(most_steps)
        if highest not in self._searched:
            self._searched.append(highest)
        self.bound = max(self.bound, highest.bound)
        return highest.order()

    def _highest(self) -> Tower | None:
        promising = [tower for tower in self._towers if tower.open and tower.height > self.bound]
        return max(promising, key=lambda tower: tower.height, default=None)


def _coarse_first_height(instance: Instance, live_set: int) -> int:
    """Height of one stack: coarsest alignment first. The least stack is no higher."""
    height = 0
    for index in sorted(instance.members[live_set], key=lambda index: -instance.aligns[index]):
        align = instance.aligns[index]
        height = -(-height // align) * align + instance.sizes[index]
    return height
