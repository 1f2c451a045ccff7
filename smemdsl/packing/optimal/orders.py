"""In which order buffers are tried: a fixed, endless series of mixtures, the plain ones first."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from random import Random
from typing import NamedTuple

from smemdsl.packing.optimal.instance import Instance

_SEED = 1
_NOISE = 0.3


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
    Focus(1, 1 / 4096),
    Focus(1, 0.3),
    Focus(1, 1),
    Focus(0, 1),
    Focus(1, 3),
    Focus(1, 10),
)
"""From the lowest floor to the tightest live set: which one works depends on the instance."""


def trials(instance: Instance, blame: list[int]) -> Iterator[Trial]:
    """Attempts without end: every focus with every key, then again with noise.

    Args:
        instance: What is to be placed.
        blame: How often each live set made an attempt fail; read anew for each trial, so that what failed
            often is seen to first.
    """
    random = Random(_SEED)
    noise = 0.0
    while True:
        for key in range(3):
            for focus in FOCUSES:
                yield Trial(focus, _order(instance, blame, key, random, noise))
        noise = _NOISE


def _order(instance: Instance, blame: list[int], key: int, random: Random, noise: float) -> tuple[int, ...]:
    """Long lives first, or crowded ones."""
    ranks = []
    for index, size in enumerate(instance.sizes):
        start, end = instance.first[index], instance.last[index]
        factor = exp(noise * (random.random() - 0.5))
        length = (end - start) * factor
        crowd: float = max(instance.loads[start:end], default=0)
        if noise and any(blame):
            crowd = max(blame[start:end], default=0) * factor
        area = length * size
        ranks.append(((length, area, crowd), (crowd, area, length), (crowd, length, area))[key])
    return tuple(sorted(range(len(ranks)), key=lambda index: ranks[index], reverse=True))
