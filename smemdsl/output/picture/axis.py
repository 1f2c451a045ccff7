"""Where a slot stands on an axis that gives a long loop no more room than what happens in it is worth."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from smemdsl.core.buffers import Slot

_LEAST_SHARE = 1 / 24
"""Share of the axis that every span has on an axis that is to scale: a name needs about as much."""


class SlotAxis(NamedTuple):
    """An axis from 0 to 1, on which slots stand in order."""

    times: tuple[Slot, ...]
    """The slots at which something begins or ends."""
    edges: tuple[float, ...]
    """Where each of them stands; the first at 0, the last at 1."""
    to_scale: bool
    """Whether equal times take equal room; else a span takes as much as its length has binary digits."""

    def at(self, slot: Slot) -> float:
        """Where a slot between the first and the last stands."""
        i = min(bisect_right(self.times, slot), len(self.times) - 1) - 1
        (start, end), (left, right) = self.times[i : i + 2], self.edges[i : i + 2]
        return left + (right - left) * (slot - start) / (end - start)


def axis_of(times: Sequence[Slot]) -> SlotAxis:
    """The axis of slots in ascending order, two at least: to scale where its shortest span can be seen."""
    lengths = [end - start for start, end in pairwise(times)]
    to_scale = min(lengths) >= sum(lengths) * _LEAST_SHARE
    weights = lengths if to_scale else [length.bit_length() for length in lengths]
    whole = sum(weights)
    edges = tuple(part / whole for part in accumulate(weights, initial=0))
    return SlotAxis(tuple(times), edges, to_scale)
