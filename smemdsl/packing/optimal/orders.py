"""In which order buffers are tried: a fixed, endless series of mixtures, the plain ones first."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from smemdsl.packing.optimal.instance import Instance

_SEED = 1
_NOISE = 0.3
_KEYS = 5
_LEARN = 0.3
"""What the latest attempt counts among all of its manner."""
_USUAL_RANK = 3.0


class Focus(NamedTuple):
    """Where the search goes on: at the live set with the least `floor * height + slack * room left`."""

    height: float
    slack: float


class Trial(NamedTuple):
    """How one attempt at a target chooses."""

    focus: Focus
    order: tuple[int, ...]
    """All buffers, the most wanted first."""


FOCUSES = (
    Focus(1, 0.3),
    Focus(1, 3),
    Focus(1, 1 / 4096),
    Focus(1, 1),
    Focus(1, 10),
    Focus(0, 1),
)
"""From the lowest floor to the tightest live set: which one works depends on the instance."""
_MANNERS = len(FOCUSES) * _KEYS


class Trials:
    """Attempts without end: every focus with every key, then again and again with noise.

    What has led further is repeated more often, where the search tells (`learn`).
    """

    def __init__(self, instance: Instance, blame: list[int]) -> None:
        self._instance = instance
        self._blame = blame
        """How often each live set made an attempt fail; read anew for each trial, so that what failed often
        can be seen to first."""
        self._random = Random(_SEED)
        self._tried = 0
        self._manner = 0
        self._reached = [0.0] * _MANNERS

    def next(self) -> Trial:
        """The next attempt."""
        plain = self._tried < _MANNERS
        self._manner = self._tried % _MANNERS if plain or not any(self._reached) else self._drawn()
        self._tried += 1
        focus = FOCUSES[self._manner % len(FOCUSES)]
        key, noise = self._manner % _KEYS, 0.0 if plain else _NOISE
        return Trial(focus, _order(self._instance, self._blame, key, self._random, noise))

    def along(self, stack: Sequence[int]) -> Trial:
        """The next attempt, but for the buffers of a stack: those from the bottom up, before all others."""
        trial, stacked = self.next(), set(stack)
        return trial._replace(order=(*stack, *(index for index in trial.order if index not in stacked)))

    def learn(self, reached: float) -> None:
        """Tell what share of the buffers the latest attempt could place at once."""
        known = self._reached[self._manner]
        self._reached[self._manner] = (
            reached if self._tried <= _MANNERS else known + (reached - known) * _LEARN
        )

    def _drawn(self) -> int:
        """A manner, the likelier the further it led: by rank, with an exponential distribution."""
        ranked = sorted(range(_MANNERS), key=lambda manner: -self._reached[manner])
        return ranked[int(self._random.expovariate(1 / _USUAL_RANK)) % _MANNERS]


def _order(instance: Instance, blame: list[int], key: int, random: Random, noise: float) -> tuple[int, ...]:
    """Long lives first, or large areas, or lives in crowded or often blamed live sets."""
    crowding = blame if key == _KEYS - 1 and any(blame) else instance.loads
    ranks = []
    for index, size in enumerate(instance.sizes):
        start, end = instance.first[index], instance.last[index]
        factor = exp(noise * (random.random() - 0.5))
        length = (end - start) * factor
        crowd = max(crowding[start:end], default=0) * (factor if crowding is blame else 1)
        area = length * size
        ranks.append(
            (
                (length, area, crowd),
                (crowd, length, area),
                (area, length, crowd),
                (crowd, area, length),
                (crowd, length, area),
            )[key]
        )
    return tuple(sorted(range(len(ranks)), key=ranks.__getitem__, reverse=True))
