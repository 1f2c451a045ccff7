"""Stacks of a pile from a least one of its relaxation, in which nothing needs more than a shorter period.

The relaxed stack is a pattern: groups of items, each from a multiple of the shorter period up to another one.
Items that are alike modulo that period can take each other's place in it, which changes where the groups end
modulo the period of the pile. So the places are filled at random, and then towers, which start at multiples
of the longer period, get other groups that make up the difference, and of what would lie on top what starts
anywhere: by dynamic programming over residues. Where that succeeds for all towers, the padding is that of
the relaxed stack, and no stack has less.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smemdsl.packing.optimal.pile import Item, Pile

_SEED = 1
_Class = tuple[int, int]
"""Alignment, and size rounded up to the grain, both up to the shorter period."""
_Group = tuple[int, ...]


class Lift:
    """Stacks at random in the pattern of a relaxed one.

    Args:
        pile: The whole.
        relaxed: The same, relaxed.
        order: A least stack of that: its items from the bottom up.
        short: The period of the relaxed pile.
    """

    def __init__(self, pile: Pile, relaxed: Pile, order: Sequence[int], short: int) -> None:
        self._pile, self._short = pile, short
        self._period = pile.levels[-1].align
        self._sizes = [residue + pad for (_, residue), pad in zip(pile.items, pile.grain_pads, strict=True)]
        self._topmost = relaxed.items[order[-1]]
        self._pattern: list[list[_Class]] = []
        """Classes of the items of each group, from the bottom up."""
        top = 0
        for item in order:
            align, residue = relaxed.items[item]
            top += -top % align
            if top % short == 0:
                self._pattern.append([])
            self._pattern[-1].append(self._class_of(relaxed.items[item]))
            top += residue
            top += -top % pile.grain
        self._random = Random(_SEED)

    def order(self) -> list[int]:
        """The items of the next stack, from the bottom up."""
        *groups, top = self._groups()
        self._random.shuffle(groups)
        towers = [group for group in groups if self._is_tower(group[0])]
        others = [group for group in groups if not self._is_tower(group[0])]
        spare: list[_Group] = [(item,) for item in top[:-1] if self._pile.items[item][0] == self._pile.grain]
        laid: list[_Group] = []
        unmet: list[_Group] = []
        for tower in towers:
            found = self._made_up(tower, others, spare)
            if found is None:
                unmet.append(tower)
                continue
            laid += [tower, *found]
            others = [group for group in others if group not in found]
            spare = [group for group in spare if group not in found]
        order = [item for group in (*laid, *unmet, *others) for item in group]
        return order + [item for item in top if item not in order]

    def _groups(self) -> list[_Group]:
        """What is in no group, each item as one, and the pattern with its places filled."""
        pools: dict[_Class, list[int]] = {}
        for item in self._random.sample(range(len(self._pile.items)), len(self._pile.items)):
            pools.setdefault(self._class_of(self._pile.items[item]), []).append(item)
        pool = pools[self._class_of(self._topmost)]
        pool.insert(0, pool.pop(next(place for place, item in enumerate(pool) if self._may_be_topmost(item))))
        groups = [tuple(pools[kind].pop() for kind in group) for group in self._pattern]
        return [*((item,) for pool in pools.values() for item in pool), *groups]

    def _made_up(self, tower: _Group, others: list[_Group], spare: list[_Group]) -> list[_Group] | None:
        """Groups that end at a multiple of the period on this tower, few if possible; None where none do."""
        need = -self._size(tower) % self._period
        reached: dict[int, list[_Group]] = {0: []}
        for group in others:
            self._extend(reached, group, self._size(group))
        for group in spare:
            if need in reached:
                break
            self._extend(reached, group, self._sizes[group[0]])
        return reached.get(need)

    def _extend(self, reached: dict[int, list[_Group]], group: _Group, size: int) -> None:
        """What can be reached with this group too; the fewest groups by residue."""
        for residue, those in list(reached.items()):
            end = (residue + size) % self._period
            if end not in reached or len(reached[end]) > len(those) + 1:
                reached[end] = [*those, group]

    def _size(self, group: _Group) -> int:
        top = 0
        for item in group:
            top += -top % self._pile.items[item][0] + self._sizes[item]
        return top + -top % self._short

    def _is_tower(self, item: int) -> bool:
        return self._pile.items[item][0] == self._period

    def _may_be_topmost(self, item: int) -> bool:
        align, residue = self._pile.items[item]
        return (min(align, self._short), residue % self._short) == self._topmost

    def _class_of(self, item: Item) -> _Class:
        align, residue = item
        return min(align, self._short), (residue + -residue % self._pile.grain) % self._short
