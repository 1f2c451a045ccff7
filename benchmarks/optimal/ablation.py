"""What each mechanism of policy optimal is needed for: every set of instances with one of them off.

A mechanism goes that no recorded kernel and no public instance needs, and fewer than 2 of 240 random kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks.optimal import large, recorded
from benchmarks.optimal.kernels import SHAPES, kernel
from benchmarks.optimal.row import Row, measured
from smemdsl.core.buffers import Buffer

ALIGNMENTS = (16, 64, 128, 256, 1024)
_ROOM = "smemdsl.packing.optimal"
_NEVER = 1 << 60


class _NoSubsets:
    """In place of stacks subset by subset."""

    def __init__(self, pile: object) -> None:
        del pile
        self.states = _NEVER


def _whole(instance: Any, offsets: object, index: object) -> tuple[int, int]:
    del offsets, index
    return 0, len(instance.members)


MECHANISMS: dict[str, dict[str, object]] = {
    "nothing": {},
    "waiting buffers (loose)": {"loose": lambda *_: []},
    "relaxations and lifts": {"stack.Relaxed": lambda _: None},
    "sets of combinations (bands)": {
        "stack.applies": lambda _: False,
        "relaxed.applies": lambda _: False,
    },
    "stacks subset by subset": {"stack.Subsets": _NoSubsets},
    "stacks that prices guide to": {"closing.guided_order": lambda pile, *_: list(range(len(pile.items)))},
    "items taken out and put back": {"closing.lowered": lambda pile, order, *_: order},
    "annealing": {"job._DECISIONS_BEFORE_ANNEALING": _NEVER},
    "attempts that keep to a stack": {"job.Job._around_stacks": lambda *_: False},
    "manners that led further": {"orders.Trials.learn": lambda *_: None},
    "backward in time": {"job._DECISIONS_FORWARD": _NEVER},
    "failures' windows": {"search.component": _whole},
    "padding within the search": {"search.PaddingTable": lambda _: None},
}
"""Name to what is patched, below the policy's package, to switch it off."""


class _Set(NamedTuple):
    name: str
    instances: Sequence[list[Buffer]]
    limit: float


def rows(count: int, first: int, folder: Path | None, only: Sequence[str]) -> Iterator[Row]:
    """One row a mechanism and set; `count` random kernels a shape of life, from this seed on."""
    sets = list(_sets(count, first, folder))
    for name in only or MECHANISMS:
        for each in sets:
            yield _row(name, each)


def _sets(count: int, first: int, folder: Path | None) -> Iterator[_Set]:
    plans = [plan for stem in recorded.STEMS for plan in recorded.plans(stem)]
    yield _Set("recorded", plans, 1.0)
    yield _Set("recorded, five alignments", [_realigned(plan, seed) for seed, plan in enumerate(plans)], 1.0)
    for shape in SHAPES:
        drawn = [kernel(seed, 21 + seed % 30, shape) for seed in range(first, first + count)]
        yield _Set(shape, drawn, 1.0)
        yield _Set(f"{shape}, five alignments", [_realigned(each, first) for each in drawn], 1.0)
    if folder:
        yield _Set("minimalloc", [large.read(path) for path in sorted(folder.glob("*.csv"))], 10.0)


def _realigned(buffers: Sequence[Buffer], seed: int) -> list[Buffer]:
    """The same buffers with alignments drawn from five."""
    random = Random(f"{seed}/{len(buffers)}")
    return [buffer._replace(align=random.choice(ALIGNMENTS)) for buffer in buffers]


def _row(name: str, each: _Set) -> Row:
    with ExitStack() as stack:
        for target, value in MECHANISMS[name].items():
            stack.enter_context(patch(f"{_ROOM}.{target}", value))
        results = [measured(buffers, each.limit) for buffers in each.instances]
    proved = sum(result.arena == result.bound for result in results)
    arenas, bounds = sum(result.arena for result in results), sum(result.bound for result in results)
    return Row(
        f"without {name}",
        str(len(results)),
        str(proved),
        f"{sum(result.seconds for result in results):.1f} s",
        f"{max(result.gap for result in results):.3%}",
        f"{each.name}; arenas {arenas / bounds - 1:.4%} above the bounds",
    )
