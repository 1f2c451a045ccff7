"""An axis of bytes on which a budget far above every arena takes no more room than its line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Bytes

FAR = 1.6
"""Budgets above so many times the largest arena are not to scale."""
_STEP = 0.12
"""Room for each of those, as a share of what is to scale."""


class Scale(NamedTuple):
    """Where an address stands."""

    end: Bytes
    """The highest address that is to scale."""
    beyond: tuple[Bytes, ...]
    """Addresses above that, ascending."""

    @property
    def length(self) -> float:
        """Where the axis ends, in bytes of its part that is to scale."""
        return self.end * (1 + _STEP * len(self.beyond))

    def at(self, address: Bytes) -> float:
        """Where an address stands, in bytes of the part that is to scale: there it stands for itself."""
        if address <= self.end:
            return address
        return self.end * (1 + _STEP * (1 + self.beyond.index(address)))


def scale_of(arenas: Iterable[Bytes], limits: Iterable[Bytes]) -> Scale:
    """The scale for arenas, one at least, and the addresses at which budgets end."""
    arena = max(arenas)
    above = sorted({limit for limit in limits if limit > 0})
    near = [limit for limit in above if limit <= arena * FAR]
    return Scale(max([arena, *near]), tuple(above[len(near) :]))


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Places in the same order, each as near to the one wanted as a distance of `gap` between them allows.

    Labels that would overlap are moved apart, equally to both sides. `wanted` is ascending.
    """
    groups: list[list[float]] = []  # the sum of what its members want for the first, their number
    for place in wanted:
        groups.append([place, 1])
        while len(groups) > 1 and _begin(groups[-2]) + groups[-2][1] * gap > _begin(groups[-1]):
            total, count = groups.pop()
            before = groups[-1]
            before[0] += total - count * before[1] * gap
            before[1] += count
    return [_begin(group) + i * gap for group in groups for i in range(int(group[1]))]


def _begin(group: Sequence[float]) -> float:
    return group[0] / group[1]
