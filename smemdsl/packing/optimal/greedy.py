"""Quick placements to start from: buffers in some order, each at the lowest place where it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from smemdsl.packing.optimal.instance import Instance


class Placement(NamedTuple):
    """Offsets by buffer, and where the highest buffer ends; in units."""

    offsets: tuple[int, ...]
    height: int


def lowest_fit(instance: Instance, order: Iterable[int]) -> Placement:
    """Place in this order, each buffer in the lowest gap that holds it at an aligned offset."""
    sizes, aligns, neighbours = instance.sizes, instance.aligns, instance.neighbours
    offsets = [-1] * len(sizes)
    height = 0
    for index in order:
        size, align = sizes[index], aligns[index]
        place = 0
        for start, end in sorted(
            (offsets[other], offsets[other] + sizes[other])
            for other in neighbours[index]
            if offsets[other] >= 0
        ):
            if place + size <= start:
                break
            if end > place:
                place = -(-end // align) * align
        offsets[index] = place
        height = max(height, place + size)
    return Placement(tuple(offsets), height)


def _keys(instance: Instance) -> tuple[Callable[[int], tuple[int, ...]], ...]:
    sizes, aligns, first, last, loads = instance[0:4] + (instance.loads,)

    def length(index: int) -> int:
        return last[index] - first[index]

    def crowd(index: int) -> int:
        return max(loads[first[index] : last[index]], default=0)

    return (
        lambda i: (-sizes[i], first[i]),
        lambda i: (-aligns[i], -sizes[i], first[i]),
        lambda i: (-length(i) * sizes[i], first[i]),
        lambda i: (-length(i), -sizes[i], first[i]),
        lambda i: (-crowd(i), -sizes[i], first[i]),
        lambda i: (-crowd(i), -length(i), -sizes[i]),
        lambda i: (first[i], -last[i], -sizes[i]),
    )


def best_greedy(instance: Instance, enough: int) -> Placement:
    """The lowest of a few greedy placements; stops at one of height `enough` or less."""
    indexes = range(len(instance.sizes))
    best: Placement | None = None
    for key in _keys(instance):
        found = lowest_fit(instance, sorted(indexes, key=key))
        if best is None or found.height < best.height:
            best = found
        if best.height <= enough:
            return best
    assert best is not None
    return best
