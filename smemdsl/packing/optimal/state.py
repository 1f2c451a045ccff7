"""Part of a placement: what is left to place, and how low each of it can still go.

The search fixes buffers from the bottom up. For one that is left, `offsets` has the least offset that the
fixed ones below it and earlier decisions allow; that vector alone decides how the search can go on. The
other fields follow from it and are kept because they are read at every step.
"""

from __future__ import annotations

from smemdsl.packing.optimal.instance import Instance
from smemdsl.packing.optimal.padding import PaddingTable

FAR = 1 << 60
"""Offset of a buffer that is fixed, floor of a live set with nothing left: above every real one."""


class State:
    """Copied when a buffer is fixed, changed in place when one is postponed."""

    __slots__ = ("floors", "left", "loads", "offsets", "scores")

    def __init__(
        self,
        offsets: list[int],
        loads: list[int],
        floors: list[int],
        scores: list[float],
        left: list[int],
    ) -> None:
        self.offsets = offsets
        self.loads = loads
        """For each live set, the sizes left to place together."""
        self.floors = floors
        """For each live set, the least of its offsets."""
        self.scores = scores
        """For each live set, how late the search should look at it."""
        self.left = left
        """For each live set, the buffers left that can cause padding, as `PaddingTable` has them."""


def root(instance: Instance, table: PaddingTable | None) -> State:
    """Nothing fixed; the scores are for the search to fill in."""
    members = instance.members
    return State(
        [0] * len(instance.sizes),
        list(instance.loads),
        [0] * len(members),
        [0.0] * len(members),
        [sum(table.bits[index] for index in live_set) for live_set in members] if table else [],
    )


def component(instance: Instance, offsets: list[int], index: int) -> tuple[int, int]:
    """The range of live sets that unplaced buffers tie to this one, directly or through each other."""
    first, last, members = instance.first, instance.last, instance.members
    low, high = first[index], last[index]
    while True:
        reach = min([first[other] for other in members[low] if offsets[other] < FAR], default=low)
        if reach >= low:
            break
        low = reach
    while True:
        reach = max([last[other] for other in members[high - 1] if offsets[other] < FAR], default=high)
        if reach <= high:
            return low, high
        high = reach
