"""The least stack by dynamic programming over all combinations of items at once, as bits of whole numbers.

Three kinds of items, by alignment: fillers start at any grain, blocks at multiples of the rung, towers at
multiples of the period. A rigid item (a block or a tower) and the fillers on it are a group, which ends at
a multiple of the rung, skipping grains if need be. So the groups on a tower can be had in any order, and so
can the fillers of a group. What a tower carries ends at a multiple of the period: towers can be had in any
order but for the last, which stays open, as does the topmost group. A filler whose size is a multiple of the
rung is as good as a block anywhere but in the topmost group.

A set of combinations of blocks and fillers is a whole number, one bit for each. With whole prices (`rungs`) a
combination has skipped what its items pay, and a slack, which no group lowers: there is one set for each
slack, and a group moves all combinations of a set by the same places and slack.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple

from smemdsl.packing.optimal.ends import Ends
from smemdsl.packing.optimal.pile import MOST_PRICED, Pile
from smemdsl.packing.optimal.rungs import Piece
from smemdsl.packing.optimal.stock import Stock
from smemdsl.packing.optimal.trace import CLOSED, TOWER, Found, Sets, Step, Trace

_OVER = object()
_COMBINATIONS_A_STEP = 1 << 15
"""As many as take as long as a step of another search."""
_MOST_RESIDUES = 64
_MOST_SLACK = 1 << 12
_MOST_BITS = 1 << 32
"""Of the sets of all slacks together: half a gibibyte."""
_FEW_SLACKS = 4
"""Up to so much, masks for what may come later would cost too much."""


class _Reached(NamedTuple):
    """Sets with the same towers closed."""

    sets: Sets
    carried: int
    """Sizes and prices of the towers, together."""
    steps: tuple[Step, ...]


def applies(pile: Pile) -> bool:
    """Whether there are two or three alignments, each a multiple of those below, and few residues."""
    aligns = sorted({align // pile.grain for align, _ in pile.items})
    if not 2 <= len(aligns) <= 3 or aligns[0] > 1 or aligns[1] > _MOST_RESIDUES or aligns[-1] > MOST_PRICED:
        return False
    return aligns[-1] % aligns[1] == 0


class Bands:
    """Search by growing slack, for a pile that `applies`; can be stopped and continued."""

    def __init__(self, pile: Pile) -> None:
        self._pile = pile
        self._stock = Stock(pile)
        self.states = self._stock.states
        """How many combinations there are."""
        self.bound = max(0, self._stock.rungs.bound)
        """No stack has less padding."""
        self._best: Found | None = None
        self._most = -1
        self._rooms: list[int] = []
        self._ends: Ends | None = None
        self._work: Iterator[None] = iter(())
        self.given_up = False
        """Whether the next sets would be too many or too large."""

    @property
    def padding(self) -> int | None:
        """Of the best stack found."""
        return self._best.padding if self._best else None

    def order(self) -> list[int]:
        """Items of the best stack found, from the bottom up."""
        assert self._best is not None
        return Trace(self._stock, self._best).order()

    def done(self) -> bool:
        """Whether the least stack is known."""
        return self._best is not None and self._best.padding <= self.bound

    def learn(self, bound: int) -> None:
        """No stack has less padding than this: there is no need to look for one."""
        self.bound = max(self.bound, bound)

    def advance(self, steps: int) -> None:
        """Go on for so many steps at most; each takes longer the more combinations there are."""
        for _ in range(steps):
            if next(self._work, _OVER) is _OVER:
                if self.done() or self.given_up:
                    return
                self._begin()

    def work(self, steps: int) -> None:
        """Go on for as long as so many steps of another search take."""
        self.advance(max(1, min(steps, steps * _COMBINATIONS_A_STEP // self.states)))

    def _begin(self) -> None:
        """Allow more slack than before, or give up."""
        known = (self.bound - self._stock.rungs.bound) // self._pile.grain
        most = max(known, self._most + (max(2, self._most // 4) if self._most > 1 else 1))
        if most > _MOST_SLACK or (most + 1) * self.states > _MOST_BITS:
            self.given_up = True
            return
        self._most = most
        if not self._rooms:
            self._rooms = [self._stock.room(kind) for kind in self._stock.kinds]
            rigid = [number for number, kind in enumerate(self._stock.kinds) if kind.pieces[-1].align > 1]
            self._gains = {number: self._stock.gain(number) for number in [-1, *rigid]}
        if self._ends is None or self._most > self._ends.most:
            most = self._most if self._most < _FEW_SLACKS else 2 * self._most
            self._ends = Ends(self._stock, self._rooms, most)
        self._work = self._search()

    def _search(self) -> Iterator[None]:
        reached = _Reached([1] + [0] * self._most, 0, ())
        if sum(len(group) for size, group in self._stock.towers.items() if size) <= 1:
            reached = yield from self._close(reached, 0)
        yield from self._leave_open(reached, self._stock.towers)
        proved = self._stock.rungs.bound + self._pile.grain * (self._most + 1)
        self.bound = max(self.bound, min(proved, self._best.padding) if self._best else proved)

    def _leave_open(self, reached: _Reached, towers: dict[int, list[Piece]]) -> Iterator[None]:
        """Close all of these towers but one, which is each of them in turn."""
        sizes = list(towers)
        if len(sizes) == 1:
            for _ in towers[sizes[0]][1:] if sizes[0] else ():
                reached = yield from self._close(reached, sizes[0])
            yield from self._finish(reached, towers[sizes[0]][0])
            return
        half = len(sizes) // 2
        for kept, closed in ((sizes[:half], sizes[half:]), (sizes[half:], sizes[:half])):
            after = reached
            for size in filter(None, closed):
                for _ in towers[size]:
                    after = yield from self._close(after, size)
            if any(after.sets):
                yield from self._leave_open(after, {size: towers[size] for size in kept})

    def _close(self, reached: _Reached, size: int) -> Generator[None, None, _Reached]:
        """Lay a tower, or none for size 0, and on it what makes a multiple of the period."""
        sets, steps = yield from self._carry(reached, size)
        carried = reached.carried + size + self._stock.rungs.rigid(size)
        closed = []
        for slack in range(self._most + 1):
            found = 0
            for less in range(slack, -1, -self._stock.rung):
                found |= sets[less]
            period = self._stock.period
            closed.append(found & self._stock.matching(-(carried + slack) % period, period))
        yield
        return _Reached(closed, carried, (*steps, Step(sets, CLOSED, 0)))

    def _carry(self, reached: _Reached, size: int) -> Generator[None, None, tuple[Sets, tuple[Step, ...]]]:
        """Lay a tower with its group, and any blocks with theirs."""
        carried = reached.carried + size + self._stock.rungs.rigid(size)
        sets = self._grouped(reached.sets, size, carried)
        steps = (*reached.steps, Step(reached.sets, TOWER, size))
        yield
        for number, kind in enumerate(self._stock.kinds[self._stock.fillers :], self._stock.fillers):
            for _ in kind.pieces:
                laid = [(one & self._rooms[number]) << kind.place for one in sets]
                if kind.size % self._stock.rung:  # else its fillers may as well lie on the tower
                    laid = self._grouped(laid, kind.size, carried)
                steps = (*steps, Step(sets, number, kind.size))
                sets = [one | other for one, other in zip(sets, laid, strict=True)]
                yield
        return sets, steps

    def _finish(self, reached: _Reached, tower: Piece) -> Iterator[None]:
        """Lay the last tower, and what is left."""
        self._crown(reached.sets, reached.steps, tower, -1)
        sets, steps = yield from self._carry(reached, tower.size)
        for piece in self._stock.level[self._stock.rung][:1]:
            self._crown(sets, steps, piece, -1)
        for number in self._gains:
            if number >= 0:
                kind = self._stock.kinds[number]
                self._crown(sets, steps, kind.pieces[kind.loose], number)

    def _grouped(self, sets: Sets, size: int, carried: int) -> Sets:
        """Lay fillers on a rigid item of this size that has just been laid, up to a multiple of the rung."""
        ends, most, rung = self._ends, self._most, self._stock.rung
        assert ends is not None
        by_rank = {(ends.rank[size % rung], slack): one for slack, one in enumerate(sets) if one}
        for number, kind in enumerate(self._stock.kinds[: self._stock.fillers]):
            latest = by_rank
            for _ in kind.pieces:
                before, latest = latest, {}
                for (rank, slack), one in before.items():
                    for mask, cost, after in ends.moves(number, rank, carried + slack):
                        if slack + cost <= most and (laid := (one & mask) << kind.place):
                            place = after, slack + cost
                            latest[place] = latest[place] | laid if place in latest else laid
                for place, laid in latest.items():
                    by_rank[place] = by_rank[place] | laid if place in by_rank else laid
        found = [0] * (most + 1)
        for (rank, slack), one in by_rank.items():
            for mask, cost, _ in ends.moves(-1, rank, carried + slack):
                if slack + cost <= most:
                    found[slack + cost] |= one & mask
        return found

    def _crown(self, sets: Sets, steps: tuple[Step, ...], rigid: Piece, number: int) -> None:
        """Lay the topmost rigid item and all fillers left, where that is the least stack so far."""
        grain = self._pile.grain
        base = sum(self._pile.grain_pads) + grain * (self._stock.paid - self._stock.rungs.rigid(rigid.size))
        full = self.states - self._stock.low
        if number >= 0 and not self._stock.kinds[number].loose:
            full -= self._stock.kinds[number].place
        for slack, one in enumerate(sets):
            below = one >> full & (1 << self._stock.low) - 1
            for (paid, pad), those in self._gains[number].items() if below else ():
                padding = base + grain * (slack - paid) - (rigid.pad if pad < 0 else pad)
                if below & those and (self._best is None or padding < self._best.padding):
                    combination = full + (below & those).bit_length() - 1
                    self._best = Found(padding, combination, slack, steps, rigid, number)
