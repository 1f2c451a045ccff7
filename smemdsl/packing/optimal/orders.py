"""In which order buffers are tried: a fixed, endless series of mixtures, the plain ones first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import exp
from random import Random
from typing import NamedTuple

from smemdsl.packing.optimal.instance import Instance

_SEED = 1
_NOISE = 0.3
_KEYS = 5


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


def trials(instance: Instance, blame: list[int]) -> Iterator[Trial]:
    """Attempts without end: every focus with every key, then again and again with noise.

    Args:
        instance: What is to be placed.
        blame: How often each live set made an attempt fail; read anew for each trial, so that what failed
            often can be seen to first.
    """
    random = Random(_SEED)
    for number in count():
        noise = _NOISE if number >= len(FOCUSES) * _KEYS else 0.0
        yield Trial(FOCUSES[number % len(FOCUSES)], _order(instance, blame, number % _KEYS, random, noise))


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
