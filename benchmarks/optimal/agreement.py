"""Agreement with brute force, and with OR-tools CP-SAT where it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from benchmarks.optimal.exhaustive import least_arena, small
from benchmarks.optimal.row import Row, measured, summary
from smemdsl.core.buffers import Buffer

_MOST_FOR_SOLVER = 40
_SOLVER_SECONDS = 5.0


def rows(instances: int) -> Iterator[Row]:
    """One row each: ten times as many instances for brute force, few and not for long for the solver."""
    yield _compared("brute force, up to 7 buffers", least_arena, 7, 10 * instances)
    if importlib.util.find_spec("ortools"):
        from benchmarks.optimal.solver import solved

        within = partial(solved, seconds=_SOLVER_SECONDS)
        yield _compared("CP-SAT, up to 15 buffers", within, 15, min(_MOST_FOR_SOLVER, instances))


def _compared(what: str, least: Callable[[list[Buffer]], int | None], most: int, instances: int) -> Row:
    random = Random(most)
    drawn = [small(random, most) for _ in range(instances)]
    results = [measured(buffers, 10.0) for buffers in drawn]
    known = [least(buffers) for buffers in drawn]
    agreed = sum(result.arena == arena for result, arena in zip(results, known, strict=True))
    compared = instances - known.count(None)
    return summary(what, results, 0.1)._replace(remarks=f"{agreed} of {compared} agree")
