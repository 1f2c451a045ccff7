"""Stacks of a pile with the least padding: a quick good one, and what meets it from below."""

from __future__ import annotations

from heapq import nsmallest
from typing import NamedTuple

from smemdsl.packing.optimal.bands import Bands, applies
from smemdsl.packing.optimal.closing import Closing
from smemdsl.packing.optimal.pile import Pile, Sums, items_of
from smemdsl.packing.optimal.prices import Known
from smemdsl.packing.optimal.relaxed import Relaxed
from smemdsl.packing.optimal.subsets import Subsets

_MOST_SUBSETS = 1 << 17
_SUBSETS_A_STEP = 50
_FEW_SUBSETS = 1 << 10
"""Up to so many are faster one by one."""
_MOST_BANDED = 1 << 22
_BANDED_AT_ONCE = 3 << 18
"""Up to so many combinations, nothing is faster than all at once; beyond, first comes a good stack."""
_BEAM = 8
"""Nodes kept in each layer of the first stack: what comes next finds better ones."""


class _Node(NamedTuple):
    """Some items stacked, the others left; compared by what it promises, then by how far it is."""

    bound: int
    """Padding that no stack which goes on from here has less than."""
    many: int
    """How many items are left."""
    tie: int
    """Needs of what is left, least first."""
    left: int
    spent: int
    """Padding so far."""
    top: int
    sums: Sums
    path: object
    """(item, path below) of the topmost item stacked; None at the bottom."""


class StackSearch:
    """Search for the least padding of a pile; can be stopped and continued.

    By sets of combinations or by subsets where there are few enough, else bounded and guided by prices.
    """

    def __init__(
        self, pile: Pile, known: Known, most_subsets: int = _MOST_SUBSETS, most_banded: int = _MOST_BANDED
    ) -> None:
        self._pile = pile
        self._known = known
        self.bound = max(0, pile.sharp_bound(pile.all, 0, pile.sums))
        """No stack has less padding."""
        subsets = Subsets(pile)
        self._subsets = subsets if subsets.states <= most_subsets else None
        self._banded = subsets.states > _FEW_SUBSETS and applies(pile)
        self._most_banded = most_banded
        self._bands: Bands | None = None
        self._relaxed = Relaxed(pile) if self._banded and len(pile.levels) == 2 else None
        self.order = list(range(len(pile.items)))
        """Items of the best stack found, from the bottom up."""
        self.padding = pile.padding(self.order)
        """Padding of that stack."""
        self._closing: Closing | None = None
        if self._relaxed is None or self._relaxed.done():
            self._prepare()

    def _prepare(self) -> None:
        """Find a good stack and a bound before the search, where no relaxation gave the least stack."""
        if self._banded:
            bands = Bands(self._pile)
            self.bound = max(self.bound, bands.bound)
            self._bands = bands if bands.states <= self._most_banded else None
        best = self._beam()
        if best.spent < self.padding:
            self.padding, self.order = best.spent, items_of(best.path)

    def next_order(self) -> list[int]:
        """Items of a stack as good as the best one found, another one where that comes from a relaxation."""
        return (self._relaxed and self._relaxed.next_order()) or self.order

    def done(self) -> bool:
        """Whether the best stack found is known to be the least, or the search can do no more."""
        if self.bound >= self.padding:
            return True
        return not self._bands and self._closing is not None and self._closing.done()

    def is_certain_soon(self) -> bool:
        """Whether going on for a short time gives the least stack."""
        at_once = self._bands is not None and self._bands.states <= _BANDED_AT_ONCE
        relaxes = self._relaxed is not None and not self._relaxed.done()
        return at_once or relaxes or self._subsets is not None

    def only_proves(self) -> bool:
        """Whether the last means has found its stack, and what is left is to raise the bound."""
        return self._closing is not None and self._closing.done()

    def advance(self, most_steps: int) -> None:
        """Raise the bound or lower the padding by so many steps at most."""
        if self._relaxed and not self._relaxed.done() and not self.done():
            self._advance_relaxed(self._relaxed, most_steps)
            return
        if self._bands and not self.done():
            at_once = self._bands.states <= _BANDED_AT_ONCE
            if at_once or self.only_proves():
                self._advance_bands(self._bands, most_steps)
            else:
                self._close(most_steps)
            return
        if self._subsets and not self.done():
            if self._subsets.advance(most_steps * _SUBSETS_A_STEP):
                self.padding, self.order = self._subsets.best()
                self.bound = self.padding
            return
        self._close(most_steps)

    def _advance_relaxed(self, relaxed: Relaxed, most_steps: int) -> None:
        relaxed.advance(most_steps)
        if relaxed.order and relaxed.padding < self.padding:
            self.padding, self.order = relaxed.padding, relaxed.order
        self.bound = max(self.bound, min(relaxed.bound, self.padding))
        if relaxed.done() and not self.done():
            self._prepare()

    def _advance_bands(self, bands: Bands, most_steps: int) -> None:
        bands.learn(self.bound)
        bands.work(most_steps)
        if bands.padding is not None and bands.padding < self.padding:
            self.padding, self.order = bands.padding, bands.order()
        self.bound = max(self.bound, min(bands.bound, self.padding))
        if bands.given_up:
            self._bands = None

    def _close(self, most_steps: int) -> None:
        """Go on by prices."""
        if self._closing is None:
            self._closing = Closing(self._pile, self.padding, self._known)
        self._closing.advance(most_steps)
        self.bound = max(self.bound, min(self._closing.bound, self.padding))
        if self._closing.order and self._closing.padding <= self.padding:
            self.padding, self.order = self._closing.padding, self._closing.order

    def _followers(self, node: _Node, spent: dict[int, int]) -> list[_Node]:
        """Nodes with one item more, where they beat what is known about the same items left."""
        pile, left, top, found = self._pile, node.left, node.top, []
        items, parts = pile.items, pile.parts
        twin = None
        for item, (align, residue) in enumerate(items):
            if not left >> item & 1 or items[item] == twin:
                continue
            twin = items[item]
            gap = -top % align
            rest, total = left ^ 1 << item, node.spent + gap
            if spent.get(rest, total + 1) <= total:
                continue
            spent[rest] = total
            sums = tuple(map(int.__sub__, node.sums, parts[item]))
            height = top + gap + residue
            bound = max(node.bound, total + pile.quick_bound(rest, height, sums))
            found.append(_Node(bound, node.many - 1, 0, rest, total, height, sums, (item, node.path)))
        return found

    def _beam(self) -> _Node:
        """A good stack: layer by layer, a few of the most promising nodes only."""
        pile = self._pile
        layer = [_Node(self.bound, len(pile.items), 0, pile.all, 0, 0, pile.sums, None)]
        for _ in pile.items:
            best: dict[int, _Node] = {}
            spent: dict[int, int] = {}
            for node in layer:
                for after in self._followers(node, spent):
                    best[after.left] = after._replace(tie=self._needs(after))
            layer = nsmallest(_BEAM, best.values())
        return layer[0]

    def _needs(self, node: _Node) -> int:
        base = -(-node.top // self._pile.grain) * self._pile.grain
        return sum(node.sums[1:]) + sum(-base % level.align for level in self._pile.levels)
