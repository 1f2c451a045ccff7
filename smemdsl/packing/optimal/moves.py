"""The two decisions of the search about a buffer: fix it where it is lowest, or rule out that it lies there.

Every instance has a best placement in which no buffer alone could lie lower: then each rests on 0 or on the
aligned top of another that is live with it. So take a buffer such that no other one left could end below it.
Either it lies at its least offset, or it rests on one that is left: its least offset rises to the lowest such
top. Both decisions raise least offsets, and whatever no longer fits below the target is cut off.
"""

from __future__ import annotations

from smemdsl.packing.optimal.instance import Instance
from smemdsl.packing.optimal.orders import Trial
from smemdsl.packing.optimal.padding import PaddingTable
from smemdsl.packing.optimal.state import FAR, State, root

_VOID = -1.0
"""A score to be computed anew; real ones are above 0."""


def twin_groups(instance: Instance) -> list[tuple[int, ...]]:
    """For each buffer, those of equal size, alignment and life, itself among them: they are exchangeable."""
    groups: dict[tuple[int, ...], list[int]] = {}
    keys = list(zip(instance.sizes, instance.aligns, instance.first, instance.last, strict=True))
    for index, key in enumerate(keys):
        groups.setdefault(key, []).append(index)
    return [tuple(groups[key]) for key in keys]


class Moves:
    """Decisions below one target height, in the manner of one trial."""

    def __init__(self, instance: Instance, table: PaddingTable | None, blame: list[int]) -> None:
        self._instance = instance
        self._table = table
        self.blame = blame
        """How often each live set was where a decision failed."""
        self.overshoot = FAR
        """Least height that would have kept something that was cut off: no placement is lower."""
        self._grades = sorted(set(instance.aligns))
        self._grade = [self._grades.index(align) for align in instance.aligns]
        self._twins = twin_groups(instance)
        self._supports = [
            tuple(other for other in others if other not in twins)
            for others, twins in zip(instance.neighbours, map(set, self._twins), strict=True)
        ]
        self._target = 0
        self._room: list[int] = []

    def start(self, target: int, trial: Trial) -> State | None:
        """The state before any decision, None where the target is plainly too low."""
        instance = self._instance
        if target != self._target:
            self.overshoot = FAR
        self._target = target
        self._room = [target - size for size in instance.sizes]
        rank = {index: place for place, index in enumerate(trial.order)}
        self._wanted = [sorted(members, key=rank.__getitem__) for members in instance.members]
        self._rank = rank
        height, slack = trial.focus
        self._height = height
        self._slack = [slack if height else slack / (1 + blame) for blame in self.blame]
        state = root(instance, self._table)
        return state if self._settle(state, 0, len(instance.members), {0}) else None

    def choose(self, state: State) -> int:
        """The buffer to decide on next, -1 where all are fixed."""
        scores, offsets = state.scores, state.offsets
        least = min(scores)
        if least >= FAR:
            return -1
        live_set = scores.index(least)
        floor = state.floors[live_set]
        for index in self._wanted[live_set]:
            if offsets[index] == floor:
                return self._lowest_below(offsets, index)
        return -1

    def _lowest_below(self, offsets: list[int], index: int) -> int:
        """This buffer, or one that could lie beneath it and is itself free of such."""
        sizes, neighbours, rank = self._instance.sizes, self._instance.neighbours, self._rank
        while True:
            offset = offsets[index]
            below = [
                (offsets[other], rank[other], other)
                for other in neighbours[index]
                if offsets[other] < offset and offsets[other] + sizes[other] <= offset
            ]
            if not below:
                return index
            index = min(below)[2]

    def fixed(self, state: State, index: int) -> State | None:
        """The state after this buffer is fixed at its least offset, None where the rest no longer fits."""
        instance = self._instance
        first, last, size = instance.first, instance.last, instance.sizes[index]
        offsets = state.offsets[:]
        top = offsets[index] + size
        tops = [-(-top // align) * align for align in self._grades]
        grade, room = self._grade, self._room
        raised = {offsets[index]}
        offsets[index] = FAR
        low, high = first[index], last[index]
        for other in instance.neighbours[index]:
            old = offsets[other]
            if old < top:
                raised.add(old)
                offset = offsets[other] = tops[grade[other]]
                if offset > room[other]:
                    self._cut(max(first[index], first[other]), offset + instance.sizes[other])
                    return None
                low = min(low, first[other])
                high = max(high, last[other])
        after = State(offsets, state.loads[:], state.floors[:], state.scores[:], state.left)
        self._take_away(after, index)
        for start, end in ((first[index], last[index]), (low, first[index]), (last[index], high)):
            if not self._settle(after, start, end, raised):
                return None
        return after

    def _take_away(self, state: State, index: int) -> None:
        """A fixed buffer no longer counts in what is left of its live sets, of which the scores are void."""
        size = self._instance.sizes[index]
        bit = self._table.bits[index] if self._table else 0
        if bit:
            state.left = state.left[:]
        for live_set in range(self._instance.first[index], self._instance.last[index]):
            state.loads[live_set] -= size
            state.scores[live_set] = _VOID
            if bit:
                state.left[live_set] ^= bit

    def postponed(self, state: State, index: int) -> bool:
        """Let this buffer rest on one that is left, in place; False where that does not fit."""
        offsets, sizes = state.offsets, self._instance.sizes
        tops = [offsets[other] + sizes[other] for other in self._supports[index] if offsets[other] < FAR]
        if not tops:
            return False
        align = self._instance.aligns[index]
        offset = -(-min(tops) // align) * align
        low, high = self._instance.first[index], self._instance.last[index]
        if offset > self._room[index]:
            self._cut(low, offset + sizes[index])
            return False
        raised = {offsets[index]}
        for twin in self._twins[index]:
            if offsets[twin] < FAR:
                offsets[twin] = offset
        return self._settle(state, low, high, raised)

    def _settle(self, state: State, low: int, high: int, raised: set[int]) -> bool:
        """Bring floors and scores of these live sets up to date; False where one exceeds the target.

        `raised` are the offsets that some buffers had before: a floor elsewhere has not moved.
        """
        floors, loads, scores = state.floors, state.loads, state.scores
        members, target, table = self._instance.members, self._target, self._table
        height, slack = self._height, self._slack
        offset_of = state.offsets.__getitem__
        for live_set in range(low, high):
            floor = floors[live_set]
            if floor in raised:
                floor = floors[live_set] = min(map(offset_of, members[live_set]))
            elif scores[live_set] != _VOID:
                continue
            if floor >= FAR:
                scores[live_set] = FAR
                continue
            top = floor + loads[live_set]
            if table:
                top += table.padding(state.left[live_set], floor)
            if top > target:
                self._cut(live_set, top)
                return False
            scores[live_set] = height * floor + slack[live_set] * (target - top + 1)
        return True

    def _cut(self, live_set: int, height: int) -> None:
        self.blame[live_set] += 1
        self.overshoot = min(self.overshoot, height)
