"""The order of a stack that was found among sets of combinations, traced back from its top."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.packing.optimal.rungs import Piece
from smemdsl.packing.optimal.stock import Stock

Sets = list[int]
"""By slack: combinations as bits."""
CLOSED, TOWER = -2, -1


class Step(NamedTuple):
    """How sets were made, for tracing a combination back."""

    before: Sets
    kind: int
    """The kind of block that could be added, `TOWER` or `CLOSED`."""
    size: int
    """Of the block or tower."""


class Found(NamedTuple):
    """A stack: a combination, and what lies on it."""

    padding: int
    combination: int
    slack: int
    steps: tuple[Step, ...]
    rigid: Piece
    """The topmost one; all fillers left lie on it."""
    kind: int
    """Of that, -1 where it is none of a combination."""


class Trace:
    """A stack that was found."""

    def __init__(self, stock: Stock, found: Found) -> None:
        self._stock = stock
        self._found = found

    def order(self) -> list[int]:
        """Items of the best stack found, from the bottom up."""
        found = self._found
        pools = [list(kind.pieces) for kind in self._stock.kinds]
        towers = {size: list(group) for size, group in self._stock.towers.items()}
        left = [self._left(number) for number in range(len(self._stock.kinds))]
        top = [pools[number].pop(0) for number, many in enumerate(left) for _ in range(many)]
        rigid = found.rigid
        if found.kind >= 0:
            pools[found.kind].remove(rigid)
        elif rigid.align == self._stock.period:
            towers[rigid.size].remove(rigid)
        stack = [
            *towers.pop(0, []),
            *(piece for piece in self._stock.level[self._stock.rung] if piece is not rigid),
        ]
        fillers = self._stock.level[1]
        if top or (fillers and fillers[0].pad > rigid.pad):
            top = sorted(top + fillers, key=lambda piece: piece.pad)
        else:
            stack += fillers
        for size, numbers in self._groups():
            stack += [towers[size].pop()] if size else []
            stack += [pools[number].pop() for number in numbers]
        return [piece.item for piece in (*stack, rigid, *top)]

    def _left(self, number: int) -> int:
        """How many fillers of a kind are left for the top."""
        kind, found = self._stock.kinds[number], self._found
        there = found.combination // kind.place % (len(kind.pieces) + 1)
        return len(kind.pieces) - there - (number == found.kind)

    def _groups(self) -> list[tuple[int, list[int]]]:
        """The groups below the topmost, from the bottom up: size of the tower or 0, kinds of the others."""
        groups: list[tuple[int, list[int]]] = []
        combination, slack = self._found.combination, self._found.slack
        for step in reversed(self._found.steps):
            if step.kind == CLOSED:
                slack = next(
                    s for s in range(slack, -1, -self._stock.rung) if step.before[s] >> combination & 1
                )
            elif step.kind == TOWER or not step.before[slack] >> combination & 1:
                block = step.kind >= 0
                start = combination - self._stock.kinds[step.kind].place if block else combination
                residue = step.size % self._stock.rung
                traced = self._emptied(step.before, start, slack, residue, 0, 0)
                assert traced is not None
                combination, slack, fillers = traced
                groups.append((0 if block else step.size, [step.kind, *fillers] if block else fillers))
        return groups[::-1]

    def _emptied(
        self, before: Sets, combination: int, most: int, residue: int, first: int, slack: int
    ) -> tuple[int, int, list[int]] | None:
        """What a group was laid on, with what slack, and its fillers."""
        prices, rung = self._stock.rungs.residues, self._stock.rung
        cost = slack + -residue % rung + prices[0] - prices[residue]
        if cost <= most and before[most - cost] >> combination & 1:
            return combination, most - cost, []
        for number in range(first, self._stock.fillers):
            kind = self._stock.kinds[number]
            if combination // kind.place % (len(kind.pieces) + 1):
                end = (residue + kind.size) % rung
                after = slack + prices[end] - prices[residue] - kind.price
                if after <= most:
                    rest, again = combination - kind.place, number + (len(kind.pieces) == 1)
                    traced = self._emptied(before, rest, most, end, again, after)
                    if traced:
                        return traced[0], traced[1], [number, *traced[2]]
        return None
