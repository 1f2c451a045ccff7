"""The least arena by OR-tools CP-SAT: an independent solver, where it is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from smemdsl.core.buffers import Buffer


def solved(buffers: list[Buffer], seconds: float = 600.0) -> int | None:
    """The least arena by CP-SAT, None where it needs longer.

    Each buffer is a rectangle of fixed time, and no two of them overlap.
    """
    cp_model: Any = import_module("ortools.sat.python.cp_model")
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
