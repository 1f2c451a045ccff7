"""Every combination of some axes, or every configuration of a list, judged one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdsl import exit_codes
from smemdsl.api import Scenario
from smemdsl.binding import bind, violated
from smemdsl.errors import Diagnostic, FaultError
from smemdsl.judging import OK, OVER, Verdict, judge
from smemdsl.planning import Options, plan_bound
from smemdsl.results import INVALID
from smemdsl.spec import Axis, BudgetSpec, Choice, Expr, Value

MAX_DIAGNOSTICS = 20
"""Configurations in error that are told in full; the rest are only counted."""

Config = Mapping[str, Choice]
"""Values for some of the parameters."""


class Table(NamedTuple):
    """What the rows of a sweep have in common."""

    columns: tuple[str, ...]
    """The swept parameters."""
    largest: str | None
    """The parameter whose largest feasible value each row holds, the last of the columns."""
    scenarios: bool
    """Rows are of several scenarios."""
    budgets: bool
    """Rows are of several budgets."""

    @property
    def lead(self) -> list[str]:
        """Headers of what stands before the parameters."""
        return (["scenario"] if self.scenarios else []) + (["budget"] if self.budgets else [])

    def leading(self, row: Row) -> list[str]:
        """What stands before the parameters in a row."""
        return ([row.scenario] if self.scenarios else []) + ([row.budget] if self.budgets else [])


class Row(NamedTuple):
    """One configuration on one budget."""

    path: str
    scenario: str
    budget: str
    values: tuple[Value | str | None, ...]
    """Of the table's columns; None where the scenario has no such parameter or no value fits."""
    verdict: Verdict | None
    """None for an INVALID configuration, and where no value fits."""
    word: str
    """OK, OVER or INVALID."""


class Tally:
    """Counts what a sweep came across, while its rows stream by."""

    def __init__(self, unswept: int = 0) -> None:
        self.words = {OK: 0, OVER: 0, INVALID: 0}
        self.skipped = 0
        self.diagnostics: list[Diagnostic] = []
        self.unswept = unswept
        """Scenarios that could not be swept at all."""

    def invalid(self, scenario: Scenario, error: FaultError) -> None:
        """Keep what is wrong with a configuration."""
        self.words[INVALID] += 1
        if len(self.diagnostics) < MAX_DIAGNOSTICS:
            known = set(self.diagnostics)
            self.diagnostics += [d for d in scenario.diagnose(error.faults) if d not in known]

    def counts(self) -> dict[str, int]:
        """Rows by verdict, and configurations that a constraint ruled out."""
        ok, over, bad = (self.words[word] for word in (OK, OVER, INVALID))
        return {"rows": ok + over + bad, "ok": ok, "over": over, "invalid": bad, "skipped": self.skipped}

    def exit_code(self) -> int:
        """0 where at least one row fits, 2 where one is in error, else 1."""
        if self.words[INVALID] or self.unswept:
            return exit_codes.INVALID
        return exit_codes.OK if self.words[OK] else exit_codes.OVER


class Task(NamedTuple):
    """A scenario and what to sweep it over: axes, or configurations where there are some."""

    scenario: Scenario
    axes: tuple[Axis, ...]
    configs: tuple[Config, ...]
    fixed: Config
    """Values that hold in every row."""
    budgets: tuple[BudgetSpec, ...]
    options: Options


def rows(task: Task, table: Table, tally: Tally) -> Iterator[Row]:
    """The rows of one task, the first axis slowest; what a constraint rules out is counted and left out."""
    if table.largest is not None:
        yield from _largest_rows(task, table, tally)
        return
    for config in configurations(task):
        yield from _counted(_judge(task, table, config, tally), tally)


def configurations(task: Task) -> Iterator[Config]:
    """Every configuration of a task, in order."""
    if task.configs:
        return ({**config, **task.fixed} for config in task.configs)
    return ({**task.fixed, **config} for config in _product(task.axes))


def _product(axes: Sequence[Axis]) -> Iterator[dict[str, Choice]]:
    """Every combination; unlike itertools.product it holds no axis in memory."""
    if not axes:
        yield {}
        return
    first, *others = axes
    for value in first.values:
        for rest in _product(others):
            yield {first.name: value, **rest}


def _counted(found: Iterable[Row], tally: Tally) -> Iterator[Row]:
    for row in found:
        if row.word != INVALID:
            tally.words[row.word] += 1
        yield row


def _judge(task: Task, table: Table, config: Config, tally: Tally) -> list[Row]:
    """The rows of one configuration, one a budget; none where a constraint rules it out."""
    spec = task.scenario.spec
    try:
        env = bind(spec, config)
        if violated(spec.constraints, env):
            tally.skipped += 1
            return []
        plan = plan_bound(spec, env, (), task.options, defaults=config)
        verdicts = [judge(spec, plan, budget) for budget in task.budgets]
    except FaultError as error:
        tally.invalid(task.scenario, error)
        values = tuple(_shown(config.get(name)) for name in table.columns)
        return [Row(task.scenario.path, spec.name, _budget_names(task), values, None, INVALID)]
    values = tuple(env.get(name) for name in table.columns)
    return [
        Row(task.scenario.path, spec.name, v.budget.name, values, v, OK if v.fits else OVER) for v in verdicts
    ]


def _shown(choice: Choice | None) -> Value | str | None:
    return choice.text if isinstance(choice, Expr) else choice


def _budget_names(task: Task) -> str:
    return ", ".join(str(budget.text) for budget in task.budgets)


def _largest_rows(task: Task, table: Table, tally: Tally) -> Iterator[Row]:
    """For each combination of the other axes and each budget, the largest value that fits."""
    others = task._replace(axes=tuple(axis for axis in task.axes if axis.name != table.largest))
    values = next(_descending(axis.values) for axis in task.axes if axis.name == table.largest)
    for config in configurations(others):
        for budget in task.budgets:
            one = task._replace(budgets=(budget,))
            row = _largest(one, table, config, values, tally)
            if row is not None:
                tally.words[row.word] += 1
                yield row


def _largest(task: Task, table: Table, config: Config, values: Sequence[int], tally: Tally) -> Row | None:
    assert table.largest is not None
    last: Row | None = None
    for value in values:
        for row in _judge(task, table, {**config, table.largest: value}, tally):
            if row.word == OK:
                return row
            last = row if row.word == OVER or last is None else last
    if last is None or last.word == INVALID:
        return None
    return last._replace(values=(*last.values[:-1], None), verdict=None)


def _descending(values: Sequence[Choice]) -> Sequence[int]:
    if isinstance(values, range):
        return values[::-1]
    return sorted({value for value in values if isinstance(value, int)}, reverse=True)
