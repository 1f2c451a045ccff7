"""Agreement with brute force, and with OR-tools CP-SAT where it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.optimal.row import Row, measured, summary
from smemdsl.model import Buffer
from tests.packing.optimal.exhaustive import least_arena, small


def rows(instances: int) -> Iterator[Row]:
    """One row each: ten times as many instances for brute force as for the solver."""
    yield _compared("brute force, up to 7 buffers", least_arena, 7, 10 * instances)
    if importlib.util.find_spec("ortools"):
        from tests.packing.optimal.test_optimal_solver import solved

        yield _compared("CP-SAT, up to 15 buffers", solved, 15, max(1, instances // 4))


def _compared(what: str, least: Callable[[list[Buffer]], int], most: int, instances: int) -> Row:
    random = Random(most)
    drawn = [small(random, most) for _ in range(instances)]
    results = [measured(buffers, 10.0) for buffers in drawn]
    agreed = sum(result.arena == least(buffers) for result, buffers in zip(results, drawn, strict=True))
    return summary(what, results, 0.1)._replace(remarks=f"{agreed} of {instances} agree")
