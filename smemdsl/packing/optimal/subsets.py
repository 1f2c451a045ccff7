"""The least stack of a pile by dynamic programming over its subsets: certain, where there are few enough.

Sizes are rounded up to the grain, which only the topmost item can gain from; rounded, more items are alike.
For how many of each kind are stacked, a lower height is never worse, so the least height of each
combination is enough.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.packing.optimal.pile import Pile


class _Kind(NamedTuple):
    align: int
    size: int
    """Rounded up to the grain."""
    items: tuple[int, ...]
    """Least padding to the grain first, so that the last one is the best on top."""
    step: int
    """What one item counts in the number of a combination."""


class Subsets:
    """The least heights of combinations, in order of their numbers; can be stopped and continued."""

    def __init__(self, pile: Pile) -> None:
        self._pile = pile
        groups: dict[tuple[int, int], list[int]] = {}
        for item, (align, residue) in enumerate(pile.items):
            groups.setdefault((align, residue + pile.grain_pads[item]), []).append(item)
        self._kinds: list[_Kind] = []
        step = 1
        for (align, size), items in groups.items():
            ordered = tuple(sorted(items, key=lambda item: pile.grain_pads[item]))
            self._kinds.append(_Kind(align, size, ordered, step))
            step *= len(items) + 1
        self.states = step
        """How many combinations there are."""
        self._heights = [0]
        self._digits = [0] * len(self._kinds)

    def advance(self, most_states: int) -> bool:
        """Go on for so many combinations at most; whether all are done."""
        heights, digits = self._heights, self._digits
        moves = [(kind.step, kind.align, kind.size) for kind in self._kinds]
        for state in range(len(heights), min(self.states, len(heights) + most_states)):
            self._count_up()
            heights.append(
                min(
                    [
                        -(-heights[state - step] // align) * align + size
                        for many, (step, align, size) in zip(digits, moves, strict=True)
                        if many
                    ]
                )
            )
        return len(heights) == self.states

    def _count_up(self) -> None:
        digits = self._digits
        for place, kind in enumerate(self._kinds):
            if digits[place] < len(kind.items):
                digits[place] += 1
                return
            digits[place] = 0

    def best(self) -> tuple[int, list[int]]:
        """Least padding, and the items of a stack that has it, from the bottom up; after all are done."""
        full = self.states - 1
        ends = [
            (-(-self._heights[full - kind.step] // kind.align) * kind.align + residue, place)
            for place, kind in enumerate(self._kinds)
            for residue in [self._pile.items[kind.items[-1]][1]]
        ]
        end, place = min(ends)
        sizes = sum(residue for _, residue in self._pile.items)
        left = [list(kind.items) for kind in self._kinds]
        order = [left[place].pop()]
        state = full - self._kinds[place].step
        while state:
            place = self._topmost(state, left)
            order.append(left[place].pop())
            state -= self._kinds[place].step
        return end - sizes, order[::-1]

    def _topmost(self, state: int, left: list[list[int]]) -> int:
        """A kind that lies on top in the least stack of this combination."""
        for place, (align, size, _, step) in enumerate(self._kinds):
            if (
                left[place]
                and -(-self._heights[state - step] // align) * align + size == self._heights[state]
            ):
                return place
        raise AssertionError("every combination has a topmost kind")
