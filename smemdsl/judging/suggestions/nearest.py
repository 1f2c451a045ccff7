"""Values near the one that a parameter has."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from smemdsl.scenario.spec import Value

MOST_STEPS = 1024
"""Steps along an axis, either way, up to which a value counts as near."""
MOST_NEAR = 16
"""The same for one of two changes."""
MOST_PAIRS = 1024
"""Pairs of changes that are looked at."""

Sides = Sequence[Sequence[Value]]
"""The values on either side of the present one, the nearest first."""


class SettingPair(NamedTuple):
    """Two changes, and how many steps along their axes they are together."""

    steps: int
    settings: Mapping[str, Value]


def sides(values: Sequence[Value], present: Value) -> Sides:
    """The values below the present one and those above it; of what has no order, before and after it."""
    ordered = values
    if not isinstance(values, range):
        if not all(type(value) is int for value in (*values, present)):
            return _in_order_given(list(dict.fromkeys(values)), present)
        ordered = sorted({value for value in values if isinstance(value, int)})
    assert isinstance(present, int)
    below, above = bisect_left(ordered, present), bisect_right(ordered, present)
    return ordered[max(0, below - MOST_STEPS) : below][::-1], ordered[above : above + MOST_STEPS]


def _in_order_given(values: Sequence[Value], present: Value) -> Sides:
    if present not in values:
        return ([], values)
    index = values.index(present)
    return values[:index][::-1], values[index + 1 :]


def cheapest_pairs(steps: Mapping[str, Sides]) -> Iterator[SettingPair]:
    """Changes of two parameters, those of the fewest steps first."""
    pairs = [
        SettingPair(i + j, {one: value, other: second})
        for one, other in combinations(steps, 2)
        for side in steps[one]
        for i, value in enumerate(side[:MOST_NEAR], 1)
        for side_of_other in steps[other]
        for j, second in enumerate(side_of_other[:MOST_NEAR], 1)
    ]
    return iter(sorted(pairs, key=lambda pair: pair.steps)[:MOST_PAIRS])
