"""Where combinations end modulo the rung, told from their sizes, prices and slack.

What is stacked ends at a residue whose sum with its own price is known modulo the rung: sizes, prices and
slack make it up. Mostly one residue has that sum. Where prices fall, several in a row have it, as there a
grain is skipped for nothing; they are told apart by rank. So one set may hold combinations that end at
different residues, and a move splits it only where the residue matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdsl.packing.optimal.stock import Stock


class Move(NamedTuple):
    """What a move leads to."""

    those: int
    """The combinations, as bits."""
    cost: int
    """In slack."""
    rank: int
    """Where they end."""


class Ends:
    """Masks of the combinations that a move is possible for, at one cost each and no more than `most`."""

    def __init__(self, stock: Stock, rooms: list[int], most: int) -> None:
        self._stock, self._rooms = stock, rooms
        self.most = most
        self._residues: dict[int, list[int]] = {}
        """By their sum with the price, modulo the rung."""
        self.rank: list[int] = []
        """By residue: its place among those of the same sum."""
        for residue in range(stock.rung):
            same = self._residues.setdefault((residue + stock.rungs.rigid(residue)) % stock.rung, [])
            self.rank.append(len(same))
            same.append(residue)
        self._known: dict[tuple[int, int, int], tuple[Move, ...]] = {}

    def moves(self, number: int, rank: int, known: int) -> tuple[Move, ...]:
        """What laying a filler of the kind with this number, or of none for -1, leads to from this rank.

        Without a filler, grains are skipped up to a multiple of the rung. `known` is what the sizes and
        prices carried make, and the slack.
        """
        key = number, rank, known % self._stock.rung
        if key not in self._known:
            self._known[key] = tuple(self._split(*key))
        return self._known[key]

    def _split(self, number: int, rank: int, known: int) -> Iterator[Move]:
        totals: dict[tuple[int, int], list[int]] = {}
        for total, same in self._residues.items():
            if rank < len(same):
                totals.setdefault(self._result(number, same[rank]), []).append(total)
        room = self._rooms[number] if number >= 0 else -1
        for (cost, after), those in totals.items():
            if cost <= self.most:
                yield Move(room if len(totals) == 1 else room & self._with_totals(those, known), cost, after)

    def _result(self, number: int, start: int) -> tuple[int, int]:
        """Cost and rank from this residue."""
        prices, rung = self._stock.rungs.residues, self._stock.rung
        if number < 0:
            return -start % rung + prices[0] - prices[start], 0
        kind = self._stock.kinds[number]
        end = (start + kind.size) % rung
        return prices[end] - prices[start] - kind.price, self.rank[end]

    def _with_totals(self, totals: list[int], known: int) -> int:
        rung, found = self._stock.rung, 0
        for total in totals:
            found |= self._stock.matching((total - known) % rung, rung)
        return found
