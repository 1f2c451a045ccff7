"""Stacks of a pile from a least one of its relaxation, in which nothing needs more than the rung.

The relaxed stack is a pattern: groups of a rigid item and fillers, each up to a multiple of the rung. Items
that are alike modulo the rung can take each other's place in it, which changes where the groups end modulo
the period. So the places are filled at random, and then towers, which start at multiples of the period, get
groups of blocks that make up the difference: the fewest, by dynamic programming over residues. Where that
succeeds for all towers, the padding is that of the relaxed stack, and no stack has less.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from smemdsl.packing.optimal.pile import Item, Pile

_SEED = 1
_Class = tuple[bool, int]
"""Whether an item is rigid, and its size rounded up to the grain, modulo the rung."""
_Group = tuple[int, ...]


class Lift:
    """Stacks at random in the pattern of a relaxed one.

    Args:
        pile: With two alignments above the grain.
        pattern: The items of a least stack of the relaxed pile, from the bottom up.
    """

    def __init__(self, pile: Pile, pattern: Iterable[Item]) -> None:
        self._pile = pile
        self._rung, self._period = (level.align for level in pile.levels)
        *below, self._topmost = pattern
        self._pattern = [self._class_of(item) for item in below]
        self._sizes = [residue + pad for (_, residue), pad in zip(pile.items, pile.grain_pads, strict=True)]
        self._random = Random(_SEED)

    def order(self) -> list[int]:
        """The items of the next stack, from the bottom up."""
        groups, top = self._groups()
        towers = [group for group in groups if self._is_tower(group[0])]
        blocks = [group for group in groups if not self._is_tower(group[0])]
        self._random.shuffle(towers)
        self._random.shuffle(blocks)
        laid: list[_Group] = []
        unmet: list[_Group] = []
        for tower in towers:
            found = self._made_up(tower, blocks)
            if found is None:
                unmet.append(tower)
                continue
            laid += [tower, *found]
            blocks = [group for group in blocks if group not in found]
        return [item for group in (*laid, *unmet, *blocks, top) for item in group]

    def _groups(self) -> tuple[list[_Group], _Group]:
        """The pattern with its places filled: groups, what is in no group alone, and the topmost group."""
        pools: dict[_Class, list[int]] = {}
        for item in self._random.sample(range(len(self._pile.items)), len(self._pile.items)):
            pools.setdefault(self._class_of(self._pile.items[item]), []).append(item)
        pool = pools[self._class_of(self._topmost)]
        topmost = next(item for item in pool if self._relaxed(self._pile.items[item]) == self._topmost)
        pool.remove(topmost)
        groups: list[list[int]] = [[]]
        for kind in self._pattern:
            if kind[0]:
                groups.append([])
            groups[-1].append(pools[kind].pop())
        if self._class_of(self._topmost)[0]:
            groups.append([])
        groups[-1].append(topmost)
        alone = [(item,) for pool in pools.values() for item in pool]
        return [*alone, *(tuple(group) for group in groups[:-1] if group)], tuple(groups[-1])

    def _made_up(self, tower: _Group, blocks: list[_Group]) -> list[_Group] | None:
        """The fewest groups that end at a multiple of the period on this tower; None where none do."""
        need = -self._size(tower) % self._period
        reached: dict[int, list[_Group]] = {0: []}
        for group in blocks:
            size = self._size(group)
            for residue, those in list(reached.items()):
                end = (residue + size) % self._period
                if end not in reached or len(reached[end]) > len(those) + 1:
                    reached[end] = [*those, group]
        return reached.get(need)

    def _size(self, group: _Group) -> int:
        size = sum(map(self._sizes.__getitem__, group))
        return size + -size % self._rung

    def _is_tower(self, item: int) -> bool:
        return self._pile.items[item][0] == self._period

    def _relaxed(self, item: Item) -> Item:
        return min(item[0], self._rung), item[1] % self._rung

    def _class_of(self, item: Item) -> _Class:
        align, residue = item
        return align >= self._rung, (residue + -residue % self._pile.grain) % self._rung
