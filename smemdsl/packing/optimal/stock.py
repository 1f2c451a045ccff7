"""The items of a pile by kind, and sets of combinations of them as the bits of whole numbers."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from smemdsl.packing.optimal.pile import Pile
from smemdsl.packing.optimal.rungs import Piece, Rungs, pieces


class Kind(NamedTuple):
    """Pieces that are as good as each other below the top."""

    size: int
    price: int
    pieces: tuple[Piece, ...]
    """Fillers first, most padding first."""
    loose: int
    """How many of them are fillers."""
    place: int
    """What one counts in the number of a combination."""


class Stock:
    """What there is to stack: towers, blocks and fillers, and what ends in the residue it begins in."""

    def __init__(self, pile: Pile) -> None:
        listed = sorted(pieces(pile), key=lambda piece: (piece.align, -piece.pad))
        aligns = sorted({piece.align for piece in listed} - {1})
        self.rung, self.period = aligns[0], aligns[-1]
        self.rungs = Rungs(listed, self.rung, pile.grain)
        self.towers: dict[int, list[Piece]] = {}
        """By size."""
        self.level: dict[int, list[Piece]] = {1: [], self.rung: []}
        """By alignment: other items whose size is a multiple of the period, most padding first."""
        groups: dict[tuple[int, int], list[Piece]] = {}
        for piece in listed:
            if piece.align == self.period:
                self.towers.setdefault(piece.size, []).append(piece)
            elif piece.size:
                block = piece.align > 1 or piece.size % self.rung == 0
                groups.setdefault((block, piece.size), []).append(piece)
            else:
                self.level[piece.align].append(piece)
        self.states = prod(len(group) + 1 for group in groups.values())
        """How many combinations there are."""
        self.kinds = self._placed(groups)
        self.fillers = sum(1 for kind in self.kinds if kind.size % self.rung and kind.loose)
        """How many kinds, the first ones, are only good as fillers."""
        self.low = prod(len(kind.pieces) + 1 for kind in self.kinds if kind.loose)
        """Combinations of the kinds that have fillers."""
        self.paid = sum(kind.price * len(kind.pieces) for kind in self.kinds) + sum(
            self.rungs.rigid(size) * len(group) for size, group in self.towers.items()
        )
        """By all items together."""
        self._classes: dict[tuple[int, int, int], int] = {}

    def _placed(self, groups: dict[tuple[int, int], list[Piece]]) -> list[Kind]:
        """Fillers first, then blocks that fillers are as good as, then the others."""
        found, place = [], 1
        ranked = sorted(groups.items(), key=lambda group: (group[0][0] + (group[1][0].align > 1), group[0]))
        for (block, size), group in ranked:
            price = self.rungs.rigid(size) if block else self.rungs.filler(size)
            loose = sum(piece.align == 1 for piece in group)
            found.append(Kind(size, price, tuple(group), loose, place))
            place *= len(group) + 1
        return found

    def gain(self, number: int) -> dict[tuple[int, int], int]:
        """What fillers left for the top pay, and the most padding of one, or -1 if none is left: which ones.

        They are combinations of the kinds that have fillers; of the kind with this number one more is left.
        """
        found = {(0, -1): 1} | {(0, piece.pad): 1 for piece in self.level[1][:1]}
        for place, kind in enumerate(self.kinds):
            if not kind.loose:
                break
            taken = place == number
            after: dict[tuple[int, int], int] = {}
            for (paid, pad), those in found.items():
                for left in range(kind.loose + 1):
                    if left + taken <= len(kind.pieces):
                        key = paid + left * kind.price, max(pad, kind.pieces[0].pad) if left else pad
                        shifted = those << kind.place * (len(kind.pieces) - left - taken)
                        after[key] = after.get(key, 0) | shifted
            found = after
        return found

    def room(self, kind: Kind) -> int:
        """Combinations that can take one more of a kind."""
        width = kind.place * (len(kind.pieces) + 1)
        found = (1 << kind.place * len(kind.pieces)) - 1
        while width < self.states:
            found |= found << width
            width *= 2
        return found & (1 << self.states) - 1

    def matching(self, residue: int, modulus: int, kinds: int | None = None) -> int:
        """Combinations of so many kinds, or of all, whose sizes and prices make this residue."""
        if kinds is None:
            kinds = len(self.kinds)
        if not kinds:
            return int(residue == 0)
        known = self._classes.get((modulus, kinds, residue))
        if known is None:
            kind, known = self.kinds[kinds - 1], 0
            for many in range(len(kind.pieces) + 1):
                rest = (residue - many * (kind.size + kind.price)) % modulus
                known |= self.matching(rest, modulus, kinds - 1) << many * kind.place
            self._classes[modulus, kinds, residue] = known
        return known
