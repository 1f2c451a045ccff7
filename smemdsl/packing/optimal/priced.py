"""The least stack by best-first search, with prices of residues as the bound on what is left.

All items whose alignment is the period start at residue 0. What lies from one of them up to the next is a
round trip, and round trips can be had in any order: so these items are stacked in a fixed order, but for the
one that is the last of them.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from smemdsl.packing.optimal.pile import Pile

_MOST_KNOWN = 150_000
_NONE = 1 << 60


class Tariff(NamedTuple):
    """What a part of a stack will at least pay, in fractions of a grain that make every figure whole."""

    residues: list[int]
    """By the grain that the top is in, modulo the period."""
    items: list[int]
    """By item of the pile that is left."""
    ends: list[int]
    """What it changes that this item is the topmost of all."""
    fraction: int
    """How many make a grain."""


class _Item(NamedTuple):
    align: int
    size: int
    pad: int
    """What the item gains where it is the topmost; not in grains."""
    ahead: int
    end: int
    item: int


_Node = tuple[int, int, int, int, int, int, object]
"""Bound on the padding, how many are left, which, grains spent, top in grains, what is ahead, path."""


class PricedSearch:
    """Best-first; can be stopped and continued."""

    def __init__(self, pile: Pile, tariff: Tariff, padding: int) -> None:
        self._grain, self._base = pile.grain, pile.sums[0]
        self._tariff = tariff
        self._many = len(tariff.residues)
        listed = [
            _Item(align // pile.grain, (residue + pad) // pile.grain, pad, ahead, end, item)
            for item, ((align, residue), pad, ahead, end) in enumerate(
                zip(pile.items, pile.grain_pads, tariff.items, tariff.ends, strict=True)
            )
        ]
        self._items = sorted(listed, key=lambda item: (-item.align, item[1:]))
        self._ordered = sum(1 << i for i, item in enumerate(self._items) if item.align == self._many)
        self._ends = [
            (
                self._base - pad,
                sorted((item.end, 1 << i) for i, item in enumerate(self._items) if item.pad == pad),
            )
            for pad in sorted(set(pile.grain_pads))
        ]
        self.padding = padding
        """Of the best stack known; one that is found has less."""
        self.bound = 0
        self.order: list[int] | None = None
        """Items of the stack found, from the bottom up."""
        self._heap: list[_Node] = [(0, len(listed), pile.all, 0, 0, sum(tariff.items), None)]
        self._spent = {pile.all: 0}

    def done(self) -> bool:
        """Whether the least stack is known, or the search has grown too large."""
        return self.bound >= self.padding or len(self._spent) >= _MOST_KNOWN

    def advance(self, steps: int) -> None:
        """Go on for so many nodes at most."""
        for _ in range(steps):
            if self.done():
                return
            if not self._heap:
                self.bound = self.padding
                return
            node = heappop(self._heap)
            if self._spent[node[2]] < node[3]:
                continue
            self.bound = max(self.bound, min(node[0], self.padding))
            if node[1] == 1:
                self._finish(node)
                return
            if node[0] < self.padding:
                self._expand(node)

    def _finish(self, node: _Node) -> None:
        if node[0] < self.padding:
            items = [self._items[node[2].bit_length() - 1].item]
            path = node[6]
            while isinstance(path, tuple):
                place, path = path
                items.append(self._items[place].item)
            self.padding, self.order = node[0], items[::-1]
        self.bound = self.padding

    def _expand(self, node: _Node) -> None:
        _, many, left, spent, top, ahead, path = node
        known, residues, fraction = self._spent, self._tariff.residues, self._tariff.fraction
        candidates, twin = self._candidates(left), None
        while candidates:
            bit = candidates & -candidates
            candidates ^= bit
            place = bit.bit_length() - 1
            item = self._items[place]
            if item[:3] == twin:
                continue
            twin = item[:3]
            gap = -top % item.align
            paid, rest = spent + gap, left ^ bit
            if known.get(rest, _NONE) <= paid:
                continue
            height, further = top + gap + item.size, ahead - item.ahead
            if many == 2:
                bound = self._whole(paid, height, self._items[rest.bit_length() - 1])
            else:
                bound = self._bound(paid * fraction + residues[height % self._many] + further, rest)
            if bound < self.padding:
                known[rest] = paid
                heappush(self._heap, (bound, many - 1, rest, paid, height, further, (place, path)))

    def _candidates(self, left: int) -> int:
        ordered = left & self._ordered
        first = ordered & -ordered
        ordered ^= first
        return left & ~self._ordered | first | ordered & -ordered

    def _whole(self, paid: int, height: int, last: _Item) -> int:
        """Padding of the stack with its last item on top."""
        return self._base - last.pad + self._grain * (paid + -height % last.align)

    def _bound(self, promise: int, left: int) -> int:
        """Padding of a stack that goes on so is a whole number of grains, less what the topmost gains."""
        least, fraction = _NONE, self._tariff.fraction
        for base, ends in self._ends:
            for end, bit in ends:
                if left & bit:
                    least = min(least, base - self._grain * (-(promise + end) // fraction))
                    break
        return least
