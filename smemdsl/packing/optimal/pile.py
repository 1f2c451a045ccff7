"""Buffers to be stacked one above the other, and what padding no order of them avoids.

With P the least common multiple of the alignments, only `size mod P` and the alignment decide where padding
is needed. Sizes are rounded up to the grain, the greatest common divisor of the alignments: every item but
the topmost loses that padding in any order. Above the grain, at each alignment, the items that begin at its
multiples are rigid: each but the topmost needs padding up to the next multiple, which the other items can
fill, in so far as sums of their sizes meet it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import NamedTuple

Item = tuple[int, int]
"""(alignment, size modulo the period; never 0)."""
Sums = tuple[int, ...]
"""Of items left: padding to the grain; then for each level, what rigid ones need less what others fill."""

MOST_RESIDUES = 1 << 16
"""Residues of sums that are told apart, a bit each; with more, the bound by sums alone has to do."""
MOST_PRICED = 1 << 13
"""Residues that have a price or a set of combinations each. A period of more grains is an alignment far above
any that a compiler asks for."""


class Level(NamedTuple):
    """What the items are at one alignment above the grain."""

    align: int
    pads: tuple[int, ...]
    """Padding of each item up to the alignment; -1 where it is not rigid."""
    fills: tuple[int, ...]
    """What each item can fill of others' padding; 0 where it is rigid."""
    by_pad: tuple[int, ...]
    """The rigid items, most padding first."""


class Pile:
    """A multiset of items; subsets of it are bit masks."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.items = tuple(sorted(items, reverse=True))
        self.grain = gcd(*(align for align, _ in self.items))
        self.all = (1 << len(self.items)) - 1
        self.grain_pads = tuple(-residue % self.grain for _, residue in self.items)
        self._by_grain_pad = sorted(range(len(self.items)), key=lambda item: -self.grain_pads[item])
        aligns = sorted({align for align, _ in self.items if align > self.grain})
        self.levels = tuple(self._level(align) for align in aligns)
        self.parts: tuple[Sums, ...] = tuple(self._part(item) for item in range(len(self.items)))
        """What each item contributes to the sums."""
        self.sums: Sums = tuple(map(sum, zip(*self.parts, strict=True)))

    def relaxed(self, period: int) -> Pile:
        """Where nothing needs more than this alignment; no stack has more padding there.

        Multiples of it are left out, as they cause no padding.
        """
        return Pile(
            (min(align, period), residue % period) for align, residue in self.items if residue % period
        )

    def _level(self, align: int) -> Level:
        sizes = [residue + pad for (_, residue), pad in zip(self.items, self.grain_pads, strict=True)]
        rigid = [own % align == 0 for own, _ in self.items]
        pads = tuple(-size % align if stiff else -1 for size, stiff in zip(sizes, rigid, strict=True))
        fills = tuple(0 if stiff else size % align for size, stiff in zip(sizes, rigid, strict=True))
        by_pad = sorted((item for item, stiff in enumerate(rigid) if stiff), key=lambda item: -pads[item])
        return Level(align, pads, fills, tuple(by_pad))

    def _part(self, item: int) -> Sums:
        nets = (max(level.pads[item], 0) - level.fills[item] for level in self.levels)
        return (self.grain_pads[item], *nets)

    def padding(self, order: Iterable[int]) -> int:
        """Padding of the stack with the items in this order, from the bottom up."""
        top = gaps = 0
        for item in order:
            align, residue = self.items[item]
            gaps += -top % align
            top += -top % align + residue
        return gaps

    def quick_bound(self, left: int, top: int, sums: Sums) -> int:
        """Padding that no order of what is left avoids on this top: by sums alone."""
        if not left:
            return 0
        spare = next(self.grain_pads[item] for item in self._by_grain_pad if left >> item & 1)
        base = -top % self.grain
        most = 0
        for level, net in zip(self.levels, sums[1:], strict=True):
            topmost = next((level.pads[item] for item in level.by_pad if left >> item & 1), -1)
            if topmost >= 0:
                most = max(most, -(top + base) % level.align + net - topmost)
        return base + sums[0] - spare + most

    def sharp_bound(self, left: int, top: int, sums: Sums) -> int:
        """The same by sums and by reach, for the best choice of the topmost item."""
        base = -top % self.grain
        listed = [item for item in range(len(self.items)) if left >> item & 1]
        unmet = 0
        views = []
        for level, net in zip(self.levels, sums[1:], strict=True):
            most_pad = max(level.pads[item] for item in listed)
            if most_pad >= 0:
                gap = -(top + base) % level.align
                views.append((level, gap + net, most_pad))
                unmet = max(unmet, self._unmet(level, listed, gap))
        least = -1
        for last in listed:
            most = unmet
            for level, net, most_pad in views:
                spare = level.pads[last] if level.pads[last] >= 0 else most_pad - level.fills[last]
                most = max(most, net - spare)
            total = base + sums[0] - self.grain_pads[last] + most
            least = total if least < 0 else min(least, total)
        return least

    def _unmet(self, level: Level, listed: list[int], gap: int) -> int:
        """Padding that stays even if all items that can fill could be used for every rigid one at once."""
        grain = self.grain
        many = level.align // grain
        if many > MOST_RESIDUES:
            return 0
        ring = (1 << many) - 1
        reach = 1
        for item in listed:
            shift = level.fills[item] // grain
            reach |= (reach << shift | reach >> many - shift) & ring
        pads = [level.pads[item] for item in listed if level.pads[item] >= 0]
        missed = [pad - grain * ((reach & (2 << pad // grain) - 1).bit_length() - 1) for pad in pads]
        first = gap - grain * ((reach & (2 << gap // grain) - 1).bit_length() - 1)
        return first + sum(missed) - max(missed)


def items_of(path: object) -> list[int]:
    """The items of a path `(topmost item, path below)`, from the bottom up."""
    found = []
    while isinstance(path, tuple):
        item, path = path
        found.append(item)
    return found[::-1]
