"""The work on one part: a bound from below, a placement from above, and attempts that close the gap.

Attempts go to the least height not yet excluded, since that is nearly always the optimum, and in turn to a
height between, so that there is something to show where the least is out of reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from smemdsl.core.buffers import Bytes
from smemdsl.packing.optimal.anneal import Annealing
from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.compiled import compiled_search
from smemdsl.packing.optimal.greedy import Placement, best_greedy
from smemdsl.packing.optimal.instance import Instance, backward
from smemdsl.packing.optimal.orders import Trials
from smemdsl.packing.optimal.parts import Part
from smemdsl.packing.optimal.search import Outcome, Search
from smemdsl.packing.optimal.stacking import Towers

if TYPE_CHECKING:
    from smemdsl.packing.optimal.compiled.search import CompiledSearch

_SMALL = 64
"""Up to so many buffers a proof is in reach, and limits grow fast; beyond, many short attempts find more."""
_DECISIONS_FORWARD = 150_000
"""On large instances; then every other attempt takes them backward in time. Of the hardest known ones, some
are easy forward and hard backward, some the other way round."""
_PATIENCE_TO_LEAST, _PATIENCE_TO_BETWEEN = 1.5, 1.4
_DECISIONS_BEFORE_COMPILING = 3000
"""Half a second: less has to be done than that takes."""
_STACK_STEPS = 100
_STACK_STEPS_A_DECISION = 1.0
_PROVING_STEPS_A_DECISION = 0.25
"""Of the search for stacks: fewer once only a bound is to gain. A step takes as long as two decisions."""
_STEPS_WHERE_STACKS_ARE_HIGHEST = 4.0
"""The same, where no placement is lower than the one found unless a stack is."""
_AROUND = 3
"""Decisions a buffer, of an attempt that keeps to a stack."""
_FIRST_AROUND = 8
_STACKS_AT_ONCE = 3
_MOVES = 500
_MOVES_A_DECISION = 3
"""Of annealing: two take as long as a decision."""
_DECISIONS_BEFORE_ANNEALING = 500


class Climb:
    """A series of attempts, each in another manner and within its own limit.

    On large instances, `patience` is how many steps a buffer the shortest of them may take.
    """

    def __init__(self, instance: Instance, patience: float) -> None:
        buffers = self._buffers = len(instance.sizes)
        self._learns = buffers > _SMALL
        self._instance = instance
        self._blame = blame = [0] * len(instance.members)
        self.search: Search | CompiledSearch = Search(instance, blame)
        """Counts its decisions."""
        self._trials = Trials(instance, blame)
        self._along = Trials(instance, blame)
        self._limits = (
            _recurring(int(patience * buffers) + 60) if self._learns else _growing(3 * buffers + 50)
        )

    def attempt(self, target: int, clock: Clock) -> Outcome:
        """The next attempt at a placement no higher than the target."""
        outcome = self.search.attempt(target, self._trials.next(), next(self._limits), clock)
        if self._learns:
            self._trials.learn(self.search.deepest / self._buffers)
            self._hasten(clock)
        return outcome

    def around(self, stack: list[int], target: int, clock: Clock) -> Outcome:
        """A short attempt that keeps to a stack, where it can."""
        return self.search.attempt(target, self._along.along(stack), _AROUND * self._buffers, clock)

    def _hasten(self, clock: Clock) -> None:
        """Go on in compiled code, where there is any."""
        steps = self.search.steps
        if isinstance(self.search, Search) and steps >= _DECISIONS_BEFORE_COMPILING:
            self.search = compiled_search(self._instance, self._blame, steps, clock) or self.search


def _growing(base: int) -> Iterator[int]:
    """Half as much again each time: soon enough for a proof."""
    while True:
        yield base
        base += base // 2


def _recurring(base: int) -> Iterator[int]:
    """1, 1, 2, 1, 1, 2, 4, 1, ... times the base (Luby, Sinclair and Zuckerman 1993).

    Within a constant and a logarithm of the best series of limits, whatever the odds of an attempt are.
    """
    for number in count(1):
        order = number
        while order & (order + 1):
            order -= (1 << order.bit_length() - 1) - 1
        yield base * ((order + 1) // 2)


class Job:
    """One part and what is known about it so far, in units above the part's base."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._towers = Towers(part.instance)
        self.bound = self._towers.bound
        """No placement is lower."""
        self.best = best_greedy(part.instance, self._towers.orders(), self.bound)
        """The lowest placement found."""
        self._stack: list[int] = []
        self._stack_steps = 0
        self._around = 0
        self._is_small = len(part.instance.sizes) <= _SMALL
        self._annealed: int | None = None
        """Height after the last annealing."""
        self._climbs: dict[tuple[float, bool], Climb] = {}
        """By patience, and whether time runs backward."""
        self._turn = 0
        self._share = 0.5

    @cached_property
    def _annealing(self) -> Annealing:
        return Annealing(self.part.instance)

    def in_bytes(self, height: int) -> Bytes:
        """Where a placement of this height ends in the arena."""
        return self.part.base + height * self.part.instance.unit

    def step(self, enough: Bytes, clock: Clock) -> None:
        """Make one attempt; an arena of `enough` bytes is as good as any smaller one."""
        decisions = self._decisions()
        if self._stacks_are_due(decisions) and self._raise_towers():
            return
        least = max(self.bound, (enough - self.part.base) // self.part.instance.unit)
        if self._around < _FIRST_AROUND and self._around_stacks(least, clock):
            return
        moves = _MOVES_A_DECISION * (decisions - _DECISIONS_BEFORE_ANNEALING)
        if self._is_small and self._annealing.moves <= moves:
            self._anneal()
            return
        self._turn += 1
        highest = self.best.height - 1
        turns = 8 if self._is_small else 4
        if (self._turn % turns and self._turn % turns != 1) or least == highest:
            if not (self._turn % 2 and self._around_stacks(least, clock)):
                self._learn(self._climb(_PATIENCE_TO_LEAST).attempt(least, clock))
            return
        climb = self._climb(_PATIENCE_TO_BETWEEN)
        found = self._learn(climb.attempt(self._aim(least, highest), clock))
        self._share = max(0.5, 2 * self._share - 1) if found else (1 + self._share) / 2

    def _around_stacks(self, least: int, clock: Clock) -> bool:
        """Place around other stacks of the fullest live set; whether there are any below the best height."""
        self._around += 1
        found = [self._towers.next_stack() for _ in range(_STACKS_AT_ONCE)]
        height, stack = found[0]
        if not stack or height >= self.best.height:
            return False
        self._keep(best_greedy(self.part.instance, [stack for _, stack in found], self.bound))
        if self.best.height > max(least, height):
            self._learn(self._climb(_PATIENCE_TO_LEAST).around(stack, max(least, height), clock))
        return True

    def _decisions(self) -> int:
        return sum(climb.search.steps for climb in self._climbs.values())

    def _climb(self, patience: float) -> Climb:
        """The series that goes on in this turn."""
        instance = self.part.instance
        turns_back = not self._is_small and self._turn % 2 == 1 and self._decisions() >= _DECISIONS_FORWARD
        key = patience, turns_back
        if key not in self._climbs:
            self._climbs[key] = Climb(backward(instance) if turns_back else instance, patience)
        return self._climbs[key]

    def _stacks_are_due(self, decisions: int) -> bool:
        if len(self.part.instance.members) == 1 or self._towers.are_certain_soon():
            return True
        if self.best.height <= self._towers.height():
            share = _STEPS_WHERE_STACKS_ARE_HIGHEST
        else:
            share = _PROVING_STEPS_A_DECISION if self._towers.only_prove() else _STACK_STEPS_A_DECISION
        return self._stack_steps <= share * decisions

    def _anneal(self) -> None:
        """Change the best placement, and what that led to before."""
        if self._annealed is None or self.best.height < self._annealed:
            self._annealing.begin(self.best)
        found = self._annealing.advance(_MOVES, self.best.height)
        if found:
            self._keep(found)
        self._annealed = self.best.height

    def _aim(self, least: int, highest: int) -> int:
        """A height between: lower after success, higher after failure."""
        return min(least + max(1, int((highest - least) * self._share)), highest)

    def _raise_towers(self) -> bool:
        """Search stacks instead of placements; whether there was one to search."""
        order = self._towers.raise_bound(_STACK_STEPS)
        if order is None:
            return False
        self._stack_steps += _STACK_STEPS
        self.bound = max(self.bound, self._towers.bound)
        if order != self._stack:
            self._stack = order
            self._keep(best_greedy(self.part.instance, [order], self.bound))
        return True

    def _learn(self, outcome: Outcome) -> bool:
        """Take over what an attempt brought; whether it was a placement."""
        if outcome.bound is not None:
            self.bound = min(max(self.bound, outcome.bound), self.best.height)
        if outcome.placement is None:
            return False
        self._keep(outcome.placement)
        return True

    def _keep(self, placement: Placement) -> None:
        if placement.height < self.best.height:
            self.best = placement
