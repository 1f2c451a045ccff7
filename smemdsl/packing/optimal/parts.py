"""What can be solved apart: stretches of time that no buffer joins, above buffers that are live throughout.

A buffer that is in every live set of a stretch, and whose size is a multiple of every alignment there, may
lie at the bottom of a best placement: take it out, and what is above slides down by its size, still
aligned. Without it the stretch may fall apart further.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes
from smemdsl.packing.optimal.instance import Instance, build


class Part(NamedTuple):
    """Buffers to place above `base`, independent of all others."""

    base: Bytes
    indexes: tuple[int, ...]
    """Which of the buffers they are, in the order of `instance`."""
    instance: Instance


class Parts(NamedTuple):
    """A whole problem, cut down."""

    parts: tuple[Part, ...]
    laid: dict[int, Bytes]
    """Offsets of the buffers that lie at the bottom of their stretch, by index."""


def split(buffers: Sequence[Buffer], indexes: Iterable[int] | None = None) -> Parts:
    """The independent parts of a problem; there may be none, where every buffer lies at the bottom.

    Args:
        buffers: The whole problem.
        indexes: Which buffers to place; None for all.
    """
    found: list[Part] = []
    laid: dict[int, Bytes] = {}
    placed = range(len(buffers)) if indexes is None else indexes
    open_stretches = [(0, stretch) for stretch in _stretches(buffers, placed)]
    while open_stretches:
        base, indexes = open_stretches.pop()
        instance = build([buffers[index] for index in indexes])
        floor = _lay_throughout(instance, indexes, base, laid)
        if floor == base:
            found.append(Part(base, indexes, instance))
        else:
            rest = [index for index in indexes if index not in laid]
            open_stretches.extend((floor, stretch) for stretch in _stretches(buffers, rest))
    return Parts(tuple(found), laid)


def _stretches(buffers: Sequence[Buffer], indexes: Iterable[int]) -> list[tuple[int, ...]]:
    """Groups of buffers that lives tie together, each in the given order."""
    found: list[list[int]] = []
    reach = None
    for index in sorted(indexes, key=lambda index: buffers[index].start):
        if reach is None or buffers[index].start >= reach:
            found.append([])
            reach = buffers[index].end
        found[-1].append(index)
        reach = max(reach, buffers[index].end)
    return [tuple(sorted(group)) for group in found]


def _lay_throughout(instance: Instance, indexes: Sequence[int], base: Bytes, laid: dict[int, Bytes]) -> Bytes:
    """Lay the buffers that are live throughout on `base`; the offset above them."""
    for place, index in enumerate(indexes):
        throughout = instance.first[place] == 0 and instance.last[place] == len(instance.members)
        if throughout and instance.sizes[place] % instance.period == 0:
            laid[index] = base
            base += instance.sizes[place] * instance.unit
    return base
