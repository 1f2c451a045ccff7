"""Figures as data: which panels, which cells fit, where the frontier runs, where the occupancy steps are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl import load, loads, occupancy
from smemdsl.api import Scenario
from smemdsl.cli.sweep_plan import make_table, make_task
from smemdsl.judging.plan import Options
from smemdsl.output.plotting import CurveFigure, HeatFigure, Swept, curve_figure, heat_figure, map_figure
from smemdsl.output.plotting.maps import footnotes, sharing
from smemdsl.output.plotting.sweeps import Bound, BudgetCurve, Point
from smemdsl.sweeping import Tally, rows

K = 1024
TILES = load("builtin:gemm-tiles")
"""An arena of num_stages * (block_M * block_K + block_K * block_N) * 2 B."""
TILE = {"block_M": "256", "block_N": "256", "block_K": "64"}
"""64 KiB a stage."""


def figure(
    scenario: Scenario, settings: dict[str, str], budgets: Sequence[str] = (), policies: Sequence[str] = ("",)
) -> HeatFigure | CurveFigure:
    """The figure of a sweep whose axes are what has several values."""
    tasks = [make_task(scenario, settings, (), budgets, Options(policy or None), None) for policy in policies]
    axes = [axis for axis in tasks[0].axes if len(axis.values) > 1]
    swept = []
    for task in tasks:
        table = make_table([task], None)
        found = list(rows(task, table, Tally(), verdicts=len(axes) == 1))
        swept.append(Swept(task.options.policy or "own", table, found))
    return heat_figure("", axes, swept) if len(axes) == 2 else curve_figure("", axes[0], swept)


def test_a_panel_a_policy_on_one_scale() -> None:
    """Epilogue with 4 stages takes 160 KiB without reuse and 128 with it; the scale holds both."""
    scenario = load("builtin:epilogue")
    verdicts = [
        verdict
        for policy in ("sequential", "tilelang")
        for verdict in scenario.verdicts_with({"num_stages": 4}, ["sm_89", "sm_90"], Options(policy))
    ]
    found = map_figure(verdicts)
    assert found.title == "epilogue: num_stages=4"
    assert [panel.title for panel in found.panels] == ["sequential", "tilelang"]
    assert [panel.picture.arena for panel in found.panels] == [160 * K, 128 * K]
    assert found.panels[1].notes == ("arena 128.0 KiB", "sm_89: OVER, 0 blocks/SM", "sm_90: OK, 1 block/SM")
    assert [(limit.names, limit.address) for limit in found.limits] == [("sm_89", 101376), ("sm_90", 232448)]
    assert (found.scale.end, found.scale.beyond) == (232448, ())
    assert list(sharing(found)) == ["tilelang: sharing storage: (1) A_shared, C_shared."]


def test_notes_say_what_is_there_only() -> None:
    """One buffer that fills its arena for all time needs none."""
    assert (
        list(footnotes(map_figure([loads("smemdsl: 1\nbuffers: {a: {bytes: 1024}}").check(budget="1 KiB")])))
        == []
    )


def test_filled_parameters_make_panels() -> None:
    """Budgets for which `fill` chooses other values have arenas of their own: 3 and 7 stages of 32 KiB."""
    scenario = TILES.with_fill(num_stages="1..8")
    settings = {"block_M": 128, "block_N": 128, "block_K": 64}
    found = map_figure(scenario.verdicts_with(settings, ["sm_89", "sm_90"], None))
    assert [panel.title for panel in found.panels] == ["tilelang, num_stages=3", "tilelang, num_stages=7"]
    assert [panel.picture.arena for panel in found.panels] == [96 * K, 224 * K]


def test_the_frontier_of_a_tile() -> None:
    """Of 64 KiB a stage 3 fit into 228 KiB; with block_K 32, of 32 KiB a stage, 7."""
    found = figure(TILES, TILE | {"block_K": "32,64", "num_stages": "2..8"})
    assert isinstance(found, HeatFigure)
    assert (found.x, found.y) == ("block_K", "num_stages")
    assert (found.columns, found.lines) == (("32", "64"), tuple("2345678"))
    assert found.budgets == (Bound("sm_90/sm", (228 * K,)),)
    (panel,) = found.panels
    assert panel.used == tuple((n * 32 * K, n * 64 * K) for n in range(2, 9))
    assert panel.hatched == {(0, 6), *((1, j) for j in range(2, 7))}
    ((name, edges),) = panel.frontiers
    assert name == "sm_90/sm"
    assert set(edges) == {
        ((1, 2), (2, 2)),  # above 3 stages of 64 KiB
        *(((1, j), (1, j + 1)) for j in range(2, 6)),  # between the columns
        ((0, 6), (1, 6)),  # above 7 stages of 32 KiB
    }


def test_what_a_constraint_rules_out_is_no_cell() -> None:
    """Values with which nothing is left have no column; single cells are empty, and no edge of a frontier."""
    text = (
        "smemdsl: 1\nbudget: 50\nparams: {a: 1, b: 1}\nconstraints: [a != 2, a + b != 4]\n"
        "buffers: {x: {bytes: 10 * a * b}}\n"
    )
    found = figure(loads(text), {"a": "1..4", "b": "1..3"})
    assert isinstance(found, HeatFigure)
    assert found.columns == ("1", "3", "4")
    (panel,) = found.panels
    assert panel.used == ((10, None, 40), (20, 60, 80), (None, 90, 120))
    assert panel.hatched == {(1, 1), (2, 1), (1, 2), (2, 2)}
    assert set(panel.frontiers[0][1]) == {((1, 1), (1, 2)), ((2, 1), (3, 1))}


SIZES = st.lists(st.lists(st.integers(1, 100), min_size=3, max_size=3), min_size=2, max_size=4)


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 400))
def test_frontiers_part_what_fits(width: int, height: int, budget: int) -> None:
    """Every edge lies between a cell that fits and one that does not, and every such pair has one."""
    size = f"a * {width} + b * {height}"
    text = f"smemdsl: 1\nbudget: {budget}\nparams: {{a: 1, b: 1}}\nbuffers: {{x: {{bytes: {size}}}}}"
    found = figure(loads(text), {"a": "1..4", "b": "1..3"})
    assert isinstance(found, HeatFigure)
    (panel,) = found.panels
    fits = {(i, j): (i + 1) * width + (j + 1) * height <= budget for i in range(4) for j in range(3)}
    upright = {
        ((i + 1, j), (i + 1, j + 1)) for (i, j) in fits if (i + 1, j) in fits and fits[i, j] != fits[i + 1, j]
    }
    level = {
        ((i, j + 1), (i + 1, j + 1)) for (i, j) in fits if (i, j + 1) in fits and fits[i, j] != fits[i, j + 1]
    }
    assert set(panel.frontiers[0][1]) == upright | level
    assert panel.hatched == {cell for cell, fit in fits.items() if not fit}


def test_a_curve_with_its_budgets_and_steps() -> None:
    """1 to 4 stages of 64 KiB on sm_90: 3 fit; the steps are where the occupancy rule changes."""
    found = figure(TILES, TILE | {"num_stages": "1..4"}, ["sm_90", "sm_80"])
    assert isinstance(found, CurveFigure)
    assert found.columns == ("1", "2", "3", "4")
    assert found.curves == (
        ("own", tuple(Point(i, (i + 1) * 64 * K, n) for i, n in enumerate((2, 2, 1, 0)))),
    )
    assert found.budgets == (BudgetCurve("sm_80", (166912,) * 4), BudgetCurve("sm_90", (232448,) * 4))
    assert (found.steps_of, [blocks for blocks, _ in found.steps]) == ("sm_90", [3, 2, 1])
    for blocks, most in found.steps:
        assert occupancy("sm_90", dynamic_bytes=most) == blocks
        assert occupancy("sm_90", dynamic_bytes=most + 1) == blocks - 1


def test_policies_that_agree_are_one_curve() -> None:
    """Buffers that are live throughout: no policy can reuse anything."""
    found = figure(TILES, TILE | {"num_stages": "1..2"}, policies=("tilelang", "sequential"))
    assert isinstance(found, CurveFigure)
    assert [name for name, _ in found.curves] == ["tilelang, sequential"]


def test_a_budget_that_is_an_expression() -> None:
    """It has a size for each value, and no device whose blocks could be counted."""
    text = "smemdsl: 1\nbudget: 10 * n\nparams: {n: 1}\nbuffers: {x: {bytes: 15}}\n"
    found = figure(loads(text), {"n": "1..3"})
    assert isinstance(found, CurveFigure)
    assert found.budgets == (BudgetCurve("10 * n", (10, 20, 30)),)
    assert (found.steps, found.steps_of) == ((), "")
    assert [point.fits for point in found.curves[0][1]] == [0, 1, 1]


@pytest.mark.parametrize(
    ("more", "what"),
    [("", "arena"), ("static: 8\n", "arena and static bytes"), ("request: 64\n", "requested"),
     ("request: 64\nstatic: 8\n", "requested and static bytes")],
)  # fmt: skip
def test_what_is_measured(more: str, what: str) -> None:
    """What a budget is held against: static bytes count, and what is requested instead of the arena."""
    text = f"smemdsl: 1\nbudget: 100\nparams: {{n: 1}}\n{more}buffers: {{x: {{bytes: 8 * n}}}}\n"
    found = figure(loads(text), {"n": "1..3"})
    assert found.what == what
