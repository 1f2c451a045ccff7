"""Agreement with an independent solver on instances that are too large for every order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal import place
from tests.packing.optimal.exhaustive import small

cp_model: Any = pytest.importorskip(
    "ortools.sat.python.cp_model", reason="OR-tools is not installed: nothing to compare the least arena with"
)


def solved(buffers: list[Buffer], seconds: float = 600.0) -> int | None:
    """The least arena by CP-SAT, None where it needs longer.

    Each buffer is a rectangle of fixed time, and no two of them overlap.
    """
    model = cp_model.CpModel()
    most = sum(buffer.bytes + buffer.align for buffer in buffers)
    arena = model.new_int_var(0, most, "arena")
    times, spans = [], []
    for buffer in buffers:
        place_index = model.new_int_var(0, most // buffer.align, buffer.name)
        offset = place_index * buffer.align
        model.add(arena >= offset + buffer.bytes)
        spans.append(model.new_fixed_size_interval_var(offset, buffer.bytes, buffer.name))
        times.append(model.new_fixed_size_interval_var(buffer.start, buffer.end - buffer.start, buffer.name))
    model.add_no_overlap_2d(times, spans)
    model.minimize(arena)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) != cp_model.OPTIMAL:
        return None
    value: float = solver.objective_value
    return round(value)


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6, 7, 8, 9])
def test_agrees_with_cp_sat(seed: int) -> None:
    """Five instances a seed of up to 15 buffers: both prove the same least arena."""
    random = Random(seed)
    for _ in range(5):
        buffers = small(random, 15)
        packing = place(buffers, 16, time_limit=60.0)
        assert packing.proved
        assert packing.arena == solved(buffers), buffers
