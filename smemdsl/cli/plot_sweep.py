"""The sweep that `plot --sweep` draws."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from smemdsl.api import Scenario
from smemdsl.cli.output import complain, say
from smemdsl.cli.sweep_plan import make_table, make_task, once_each, other_targets, unfilled
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.output.formats.tables import tally_line
from smemdsl.scenario.binding import show
from smemdsl.scenario.spec import Axis, Choice, Expr
from smemdsl.source.discovery import problem
from smemdsl.sweeping import Tally, Task, rows
from smemdsl.sweeping.chunks import count

if TYPE_CHECKING:
    from smemdsl.output.plotting import CurveFigure, HeatFigure


def sweep(
    scenario: Scenario,
    settings: Mapping[str, str],
    budgets: Sequence[str],
    options: Sequence[Options],
    title: str | None,
) -> tuple[HeatFigure | CurveFigure, str, int]:
    """The figure, the counts in words, and the exit code.

    Raises:
        ScenarioError: there is no axis, or more than two, or nothing to show.
    """
    from smemdsl.output.plotting import Swept, curve_figure, heat_figure

    made = [once_each(make_task(scenario, settings, (), budgets, one, None)) for one in options]
    tasks = [task for task, _ in made]
    axes = [axis for axis in tasks[0].axes if len(axis.values) > 1] or tasks[0].axes[:1]
    _check(tasks, axes)
    for note in filter(None, (made[0][1], unfilled(tasks[0]))):
        say(f"note: {note}\n", sys.stderr)
    complain(other_targets(tasks[0]))
    tally = Tally()
    swept = []
    for task in tasks:
        table = make_table([task], None)
        found = list(rows(task, table, tally, verdicts=len(axes) == 1))
        swept.append(Swept(task.options.policy or scenario.spec.policy, table, found))
    complain(tally.diagnostics)
    if tally.untold:
        say(f"and {tally.untold:,} more errors of INVALID configurations\n", sys.stderr)
    if not any(row.figures for one in swept for row in one.rows):
        message = f"there is nothing to draw: {tally_line(tally)}"
        raise ScenarioError([problem(scenario.path, "plot", message)])
    name = _title(tasks[0]) if title is None else title
    figure = heat_figure(name, axes, swept) if len(axes) == 2 else curve_figure(name, axes[0], swept)
    return figure, tally_line(tally), tally.exit_code()


def _check(tasks: Sequence[Task], axes: Sequence[Axis]) -> None:
    """See to it that a figure can show it."""
    from smemdsl.output.plotting import MOST_CELLS, MOST_POINTS

    task = tasks[0]
    path = task.scenario.path
    if task.configs:
        message = "a figure needs axes, and the file lists configurations"
        raise ScenarioError([problem(path, "plot", message, "sweep a copy without `configs:`")])
    names = [axis.name for axis in axes]
    if len(names) > 2:
        message = f"a figure has room for two axes, and there are {len(names)}: {', '.join(names)}"
        fixed = " ".join(f"--set {axis.name}={_text(axis.values[0])}" for axis in axes[2:])
        raise ScenarioError([problem(path, "plot", message, f"fix the others: {fixed}")])
    most = MOST_POINTS if len(names) == 1 else MOST_CELLS
    if count(tasks) > most:
        message = f"{count(tasks)} configurations are more than the {most} that a figure shows"
        raise ScenarioError([problem(path, "plot", message, "give the axes fewer values")])


def _text(value: Choice) -> str:
    return value.text if isinstance(value, Expr) else show(value)


def _title(task: Task) -> str:
    """The scenario's name and what is fixed."""
    given = dict(task.fixed) | {axis.name: axis.values[0] for axis in task.axes if len(axis.values) == 1}
    fixed = " ".join(f"{name}={_text(value)}" for name, value in given.items())
    return f"{task.scenario.name}: {fixed}" if fixed else task.scenario.name
