"""Attempts like those of `optimal.search.Search`, on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np

from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.compiled import kernel
from smemdsl.packing.optimal.compiled.kernel import Array, Board, Shape
from smemdsl.packing.optimal.greedy import Placement
from smemdsl.packing.optimal.instance import Instance
from smemdsl.packing.optimal.moves import twin_groups
from smemdsl.packing.optimal.orders import Trial
from smemdsl.packing.optimal.search import Outcome
from smemdsl.packing.optimal.state import FAR

_WORK_BETWEEN_LOOKS = 4_000_000
"""At the clock, and for Ctrl-C: decisions times buffers looked at, a few hundredths of a second."""


class CompiledSearch:
    """Attempts on one instance without padding."""

    def __init__(self, instance: Instance, blame: list[int], steps: int) -> None:
        self._instance = instance
        self._blame = blame
        self._shape = _shape(instance)
        self._board = _board(instance, self._shape)
        self._slice = max(1, _WORK_BETWEEN_LOOKS // len(self._shape.members))
        self._target = -1
        self.steps = steps
        """Decisions taken by all attempts together."""
        self.deepest = 0
        """How many buffers the latest attempt had placed at best."""

    def attempt(self, target: int, trial: Trial, most_steps: int, clock: Clock) -> Outcome:
        """Look for a placement no higher than the target, for so many decisions at most."""
        self.deepest = 0
        highest = max(self._instance.loads)
        if highest > target:
            return Outcome(None, highest)
        self._start(target, trial)
        outcome = self._advance(float(trial.focus.height), most_steps, clock)
        self.deepest = int(self._board.registers[kernel.DEEPEST])
        self._blame[:] = self._board.blame.tolist()
        return outcome

    def _start(self, target: int, trial: Trial) -> None:
        instance, board, registers = self._instance, self._board, self._board.registers
        if target != self._target:
            registers[kernel.OVERSHOOT] = FAR
        self._target = registers[kernel.TARGET] = target
        registers[kernel.DEPTH] = registers[kernel.DEEPEST] = 0
        registers[kernel.LOW], registers[kernel.HIGH] = FAR, -1
        board.rank[list(trial.order)] = range(len(trial.order))
        board.wanted[:] = self._wanted()
        height, slack = trial.focus
        board.blame[:] = self._blame
        board.slack[:] = slack if height else [slack / (1 + blame) for blame in self._blame]
        board.offsets[0] = board.floors[0] = 0
        board.loads[0] = instance.loads
        board.scores[0] = board.slack * (target - board.loads[0] + 1)

    def _wanted(self) -> Array:
        """The members of each live set by rank."""
        shape = self._shape
        live_sets = np.repeat(np.arange(len(shape.set_begins) - 1), np.diff(shape.set_begins))
        return shape.members[np.lexsort((self._board.rank[shape.members], live_sets))]

    def _advance(self, weight: float, most_steps: int, clock: Clock) -> Outcome:
        while most_steps > 0 and not clock.over():
            end, steps = kernel.advance(self._shape, self._board, weight, min(most_steps, self._slice))
            self.steps += steps
            most_steps -= steps
            if end == kernel.FOUND:
                return Outcome(self._placement(), None)
            if end == kernel.FAILED:
                return Outcome(None, int(self._board.registers[kernel.OVERSHOOT]))
        return Outcome(None, None)

    def _placement(self) -> Placement:
        offsets = tuple(self._board.at.tolist())
        return Placement(offsets, int((self._board.at + self._shape.sizes).max()))


def _shape(instance: Instance) -> Shape:
    return Shape(
        np.array(instance.sizes, np.int64),
        np.array([twins[0] for twins in twin_groups(instance)], np.uint32),
        np.array(instance.first, np.uint32),
        np.array(instance.last, np.uint32),
        *_flat(instance.members),
        *_flat(instance.neighbours),
    )


def _flat(lists: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Where each list begins, and what they hold."""
    return (
        np.array([0, *accumulate(map(len, lists))], np.uint32),
        np.array(list(chain.from_iterable(lists)), np.uint32),
    )


def _board(instance: Instance, shape: Shape) -> Board:
    buffers, live_sets = len(instance.sizes), len(instance.members)
    return Board(
        offsets=np.zeros((buffers + 1, buffers), np.int64),
        loads=np.zeros((buffers + 1, live_sets), np.int64),
        floors=np.zeros((buffers + 1, live_sets), np.int64),
        scores=np.zeros((buffers + 1, live_sets)),
        wanted=np.zeros_like(shape.members),
        rank=np.zeros(buffers, np.uint32),
        slack=np.zeros(live_sets),
        blame=np.zeros(live_sets, np.int64),
        at=np.zeros(buffers, np.int64),
        frames=np.zeros((buffers, 3), np.int64),
        registers=np.zeros(6, np.int64),
    )
