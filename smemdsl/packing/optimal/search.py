"""Branch and bound over canonical placements, below a target height.

Depth first: the chosen buffer is fixed at its least offset, and if that fails, postponed. A failure is
known to come from a range of live sets that nothing left ties to the rest; decisions outside that range
cannot mend it and are skipped on the way back.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.greedy import Placement
from smemdsl.packing.optimal.instance import Instance
from smemdsl.packing.optimal.moves import Moves
from smemdsl.packing.optimal.orders import Trial
from smemdsl.packing.optimal.padding import PaddingTable
from smemdsl.packing.optimal.state import State, component

_STEPS_BETWEEN_LOOKS = 32

Window = tuple[int, int]
"""A range of live sets."""


class Outcome(NamedTuple):
    """What an attempt came to: a placement, a proof that there is none, or neither before the limit."""

    placement: Placement | None
    bound: int | None
    """No placement is lower than this; None without proof."""


class _Frame(NamedTuple):
    """A fixed buffer, and what to go on with if that turns out wrong."""

    state: State
    buffer: int
    window: Window | None
    """Where earlier decisions of the same node failed."""


class Search:
    """Attempts on one instance."""

    def __init__(self, instance: Instance, blame: list[int]) -> None:
        self._instance = instance
        self._moves = Moves(instance, PaddingTable(instance) if instance.period > 1 else None, blame)
        self._at = [0] * len(instance.sizes)
        self.steps = 0
        """Decisions taken by all attempts together."""
        self.deepest = 0
        """How many buffers the latest attempt had placed at best."""

    def attempt(self, target: int, trial: Trial, most_steps: int, clock: Clock) -> Outcome:
        """Look for a placement no higher than the target, for so many decisions at most."""
        self.deepest = 0
        state = self._moves.start(target, trial)
        if state is None:
            return Outcome(None, self._moves.overshoot)
        frames: list[_Frame] = []
        window: Window | None = None
        for step in range(most_steps):
            if step % _STEPS_BETWEEN_LOOKS == 0 and clock.over():
                break
            self.steps += 1
            index = self._moves.choose(state)
            if index < 0:
                return Outcome(self._placement(), None)
            after = self._moves.fixed(state, index)
            if after is not None:
                self._at[index] = state.offsets[index]
                frames.append(_Frame(state, index, window))
                self.deepest = max(self.deepest, len(frames))
                state, window = after, None
                continue
            window = _union(window, component(self._instance, state.offsets, index))
            if not self._moves.postponed(state, index):
                resumed = self._back(frames, window)
                if resumed is None:
                    return Outcome(None, self._moves.overshoot)
                state, window = resumed
        return Outcome(None, None)

    def _back(self, frames: list[_Frame], window: Window) -> tuple[State, Window] | None:
        """Undo decisions up to one that has to do with the failed window and can be taken otherwise."""
        first, last = self._instance.first, self._instance.last
        while frames:
            state, index, earlier = frames.pop()
            if window[1] <= first[index] or window[0] >= last[index]:
                continue
            window = _union(earlier, component(self._instance, state.offsets, index))
            if self._moves.postponed(state, index):
                return state, window
        return None

    def _placement(self) -> Placement:
        sizes = self._instance.sizes
        return Placement(
            tuple(self._at), max(offset + size for offset, size in zip(self._at, sizes, strict=True))
        )


def _union(one: Window | None, other: Window) -> Window:
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))
