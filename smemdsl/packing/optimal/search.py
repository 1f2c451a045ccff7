"""Branch and bound over canonical placements, below a target height.

Depth first: the chosen buffer is fixed at its least offset, and if that fails, postponed. A failure is
known to come from a range of live sets that nothing left ties to the rest; decisions outside that range
cannot mend it and are skipped on the way back. Failed states are remembered, since orders of a stack often
lead to the same one.
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

_MOST_REMEMBERED_BUFFERS = 64
_MOST_REMEMBERED_STATES = 100_000
_STEPS_BETWEEN_LOOKS = 32

Window = tuple[int, int]
"""A range of live sets."""
_Key = tuple[int, ...]


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
    key: _Key | None


class Search:
    """Attempts on one instance; what they learn is kept from one to the next."""

    def __init__(self, instance: Instance, blame: list[int]) -> None:
        self._instance = instance
        self._moves = Moves(instance, PaddingTable(instance) if instance.period > 1 else None, blame)
        self._remembers = len(instance.sizes) <= _MOST_REMEMBERED_BUFFERS
        self._failed: dict[_Key, Window] = {}
        self._target = -1
        self._at = [0] * len(instance.sizes)
        self.steps = 0
        """Decisions taken by all attempts together."""
        self.deepest = 0
        """How many buffers the latest attempt had placed at best."""

    def attempt(self, target: int, trial: Trial, most_steps: int, clock: Clock) -> Outcome:
        """Look for a placement no higher than the target, for so many decisions at most."""
        self.deepest = 0
        if target != self._target:
            self._target = target
            self._failed = {}
        state = self._moves.start(target, trial)
        if state is None:
            return Outcome(None, self._moves.overshoot)
        frames: list[_Frame] = []
        window: Window | None = None
        key = self._key(state)
        for step in range(most_steps):
            if step % _STEPS_BETWEEN_LOOKS == 0 and clock.over():
                break
            self.steps += 1
            index = self._moves.choose(state)
            if index < 0:
                return Outcome(self._placement(), None)
            after, window, new_key = self._try_fixed(state, index, window)
            if after is not None:
                frames.append(_Frame(state, index, window, key))
                self.deepest = max(self.deepest, len(frames))
                state, window, key = after, None, new_key
                continue
            if not self._moves.postponed(state, index):
                assert window is not None
                resumed = self._back(frames, key, window)
                if resumed is None:
                    return Outcome(None, self._moves.overshoot)
                state, window, key = resumed
        return Outcome(None, None)

    def _try_fixed(
        self, state: State, index: int, window: Window | None
    ) -> tuple[State | None, Window | None, _Key | None]:
        """The state with this buffer fixed; or None and the window, widened by where that failed."""
        after = self._moves.fixed(state, index)
        if after is not None:
            key = self._key(after)
            known = self._failed.get(key) if key else None
            if known is None:
                self._at[index] = state.offsets[index]
                return after, window, key
        return None, _union(window, component(self._instance, state.offsets, index)), None

    def _back(
        self, frames: list[_Frame], key: _Key | None, window: Window
    ) -> tuple[State, Window, _Key | None] | None:
        """Undo decisions up to one that has to do with the failed window and can be taken otherwise."""
        first, last = self._instance.first, self._instance.last
        while True:
            if key and len(self._failed) < _MOST_REMEMBERED_STATES:
                self._failed[key] = window
            if not frames:
                return None
            state, index, earlier, key = frames.pop()
            if window[1] <= first[index] or window[0] >= last[index]:
                continue
            window = _union(earlier, component(self._instance, state.offsets, index))
            if self._moves.postponed(state, index):
                return state, window, key

    def _key(self, state: State) -> _Key | None:
        return tuple(state.offsets) if self._remembers else None

    def _placement(self) -> Placement:
        sizes = self._instance.sizes
        return Placement(
            tuple(self._at), max(offset + size for offset, size in zip(self._at, sizes, strict=True))
        )


def _union(one: Window | None, other: Window) -> Window:
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))
