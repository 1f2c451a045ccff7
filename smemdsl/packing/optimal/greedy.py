"""Quick placements to start from: buffers in some order, each at the lowest place where it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from smemdsl.packing.arithmetic import lowest_free
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
        placed = [other for other in neighbours[index] if offsets[other] >= 0]
        taken = [(offsets[other], offsets[other] + sizes[other]) for other in placed]
        offsets[index] = lowest_free(taken, sizes[index], aligns[index])
        height = max(height, offsets[index] + sizes[index])
    return Placement(tuple(offsets), height)


def best_greedy(instance: Instance, stacks: Iterable[list[int]], enough: int) -> Placement:
    """The lowest of a few greedy placements; stops at one of height `enough` or less.

    Args:
        instance: What is to be placed.
        stacks: Orders of some of the buffers that are worth keeping to; the others come after.
        enough: What no placement can go below.
    """
    best: Placement | None = None
    for order in _orders(instance, stacks):
        found = lowest_fit(instance, order)
        if best is None or found.height < best.height:
            best = found
        if best.height <= enough:
            break
    assert best is not None
    return best


def _orders(instance: Instance, stacks: Iterable[list[int]]) -> Iterator[list[int]]:
    sorted_all = [sorted(range(len(instance.sizes)), key=key) for key in _keys(instance)]
    yield from sorted_all
    for stack in stacks:
        stacked = set(stack)
        for order in sorted_all:
            yield stack + [index for index in order if index not in stacked]


def _keys(instance: Instance) -> tuple[Callable[[int], tuple[int, ...]], ...]:
    """What to sort by: size, alignment, area, length of life, crowding, start."""
    sizes, aligns, first = instance.sizes, instance.aligns, instance.first
    lengths = [end - start for start, end in zip(first, instance.last, strict=True)]
    crowds = [
        max(instance.loads[start:end], default=0) for start, end in zip(first, instance.last, strict=True)
    ]
    return (
        lambda i: (-sizes[i], first[i]),
        lambda i: (-aligns[i], -sizes[i], first[i]),
        lambda i: (-lengths[i] * sizes[i], first[i]),
        lambda i: (-lengths[i], -sizes[i], first[i]),
        lambda i: (-crowds[i], -sizes[i], first[i]),
        lambda i: (-crowds[i], -lengths[i], -sizes[i]),
        lambda i: (first[i], -lengths[i], -sizes[i]),
    )
