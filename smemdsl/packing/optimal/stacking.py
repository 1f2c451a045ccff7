"""The least padding with which buffers live at once can be stacked: the strong half of the lower bound.

Buffers that are live together lie one above the other, in some order, whatever else happens. With P the least
common multiple of the alignments, only `size mod P` and the alignment decide where padding is needed: a buffer
whose size is a multiple of P can be taken out and everything above it slides down by its size. The rest falls
into kinds of equal (size mod P, alignment), and a dynamic program over how many of each kind are used gives the
least height. Kinds that would make it too large are left out of it and counted as a fluid that fills any gap,
which keeps the bound valid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from smemdsl.packing.optimal.instance import Instance

_MOST_ROOT_STATES = 4_000
_MOST_SEARCH_STATES = 600
_MOST_REMEMBERED = 200_000
_DIGIT_BITS = 8


class Kind(NamedTuple):
    """Buffers that a stack cannot tell apart."""

    align: int
    residue: int
    """Size modulo the period; never 0."""


def kind_of(instance: Instance, index: int) -> Kind | None:
    """The kind of a buffer, None where it never causes padding."""
    residue = instance.sizes[index] % instance.period
    return Kind(instance.aligns[index], residue) if residue else None


def height_bound(instance: Instance) -> int:
    """What no placement can go below, in units: the tallest of the live sets, each stacked with least padding."""
    bound = max(instance.loads)
    if instance.period == 1:
        return bound
    for live_set in sorted(range(len(instance.loads)), key=lambda index: -instance.loads[index]):
        if _coarse_first_height(instance, live_set) > bound:
            bound = max(bound, instance.loads[live_set] + padding_bound(instance, live_set))
    return bound


def _coarse_first_height(instance: Instance, live_set: int) -> int:
    """Height of one stack: coarsest alignment first. The least stack is no higher."""
    height = 0
    for index in sorted(instance.members[live_set], key=lambda index: -instance.aligns[index]):
        align = instance.aligns[index]
        height = -(-height // align) * align + instance.sizes[index]
    return height


def padding_bound(instance: Instance, live_set: int) -> int:
    """Units of padding that no order of this live set avoids, or fewer where the set is too varied to tell."""
    found = (kind_of(instance, index) for index in instance.members[live_set])
    counts = Counter(kind for kind in found if kind)
    rigid, fluid = _split(counts, _MOST_ROOT_STATES)
    exact = _least_height(rigid) - sum(kind.residue * many for kind, many in rigid.items())
    return max(0, exact - fluid, _padding_by_level(instance, live_set))


def _split(counts: Counter[Kind], most: int) -> tuple[dict[Kind, int], int]:
    """The kinds worth their states, coarsest alignment first, and the size of the others together."""
    rigid: dict[Kind, int] = {}
    states, fluid = 1, 0
    for kind, many in sorted(counts.items(), reverse=True):
        if states * (many + 1) <= most:
            states *= many + 1
            rigid[kind] = many
        else:
            fluid += kind.residue * many
    return rigid, fluid


def _least_height(counts: dict[Kind, int]) -> int:
    """Least height of a stack of these residues: forwards over the states, smaller heights never being worse."""
    kinds = list(counts)
    steps, step = [], 1
    for kind in kinds:
        steps.append(step)
        step *= counts[kind] + 1
    heights = [0] * step
    for state in range(1, step):
        best = -1
        for (align, residue), step_size, many in zip(kinds, steps, counts.values(), strict=True):
            if state // step_size % (many + 1):
                top = -(-heights[state - step_size] // align) * align + residue
                if best < 0 or top < best:
                    best = top
        heights[state] = best
    return heights[-1]


def _padding_by_level(instance: Instance, live_set: int) -> int:
    """Padding between the buffers of at least some alignment, less what all others could fill.

    Taken alone, buffers whose alignments are multiples of `level` each end in padding up to it, save the topmost.
    """
    members = instance.members[live_set]
    sizes, aligns = instance.sizes, instance.aligns
    most = 0
    for level in {aligns[index] for index in members}:
        pads = [-sizes[index] % level for index in members if aligns[index] % level == 0]
        fluid = sum(sizes[index] for index in members if aligns[index] % level)
        most = max(most, sum(pads) - max(pads) - fluid)
    return most


class PaddingTable:
    """Least padding of what is left of a live set, on a floor that need not be aligned; remembered.

    A multiset of kinds is a number, each kind counting in its own digits, so that taking a buffer away is a
    subtraction.
    """

    def __init__(self, instance: Instance) -> None:
        self._period = instance.period
        kinds = [kind_of(instance, index) for index in range(len(instance.sizes))]
        chosen = _affordable(instance, kinds)
        digits = {kind: 1 << _DIGIT_BITS * place for place, kind in enumerate(chosen)}
        self._digits = tuple((digit, *kind) for kind, digit in digits.items())
        self.weights = tuple(digits.get(kind, 0) if kind else 0 for kind in kinds)
        """What each buffer adds to the number of a multiset."""
        self.fluids = tuple(kind.residue if kind and kind not in digits else 0 for kind in kinds)
        """What each buffer can fill of others' padding."""
        self._known: dict[tuple[int, int], int] = {}

    def padding(self, multiset: int, floor: int) -> int:
        """Least padding of a stack of these kinds that starts at `floor`."""
        if not multiset:
            return 0
        key = (multiset, floor % self._period)
        known = self._known.get(key)
        if known is None:
            known = self._padding(*key) if len(self._known) < _MOST_REMEMBERED else 0
            self._known[key] = known
        return known

    def _padding(self, multiset: int, floor: int) -> int:
        best = -1
        for digit, align, residue in self._digits:
            if multiset // digit & (1 << _DIGIT_BITS) - 1:
                gap = -floor % align
                if best < 0 or gap < best:
                    total = gap + self.padding(multiset - digit, floor + gap + residue)
                    best = total if best < 0 else min(best, total)
        return best


def _affordable(instance: Instance, kinds: Iterable[Kind | None]) -> list[Kind]:
    """Kinds, coarsest alignment first, as long as no live set has too many combinations of them."""
    listed = list(kinds)
    counts = [Counter(listed[index] for index in members) for members in instance.members]
    states = [1] * len(counts)
    chosen: list[Kind] = []
    for kind in sorted({kind for kind in listed if kind}, reverse=True):
        grown = [old * (count[kind] + 1) for old, count in zip(states, counts, strict=True)]
        if max(grown) <= _MOST_SEARCH_STATES and max(count[kind] for count in counts) < 1 << _DIGIT_BITS:
            states = grown
            chosen.append(kind)
    return chosen
