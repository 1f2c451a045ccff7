"""One configuration after the other, each judged as `check` would judge it.

This is what a sweep means. `smemdsl.sweeping.compiled` gives the same rows sooner, and comes back here for a
configuration that may be in error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl import devices
from smemdsl.core.errors import FaultError
from smemdsl.judging.judge import judge
from smemdsl.judging.plan import plan_bound
from smemdsl.judging.result import INVALID
from smemdsl.judging.verdict import OK, OVER, Verdict
from smemdsl.scenario.binding import bind, show, violated
from smemdsl.scenario.spec import Axis, Choice, Expr, ScenarioSpec, Value
from smemdsl.sweeping.model import Config, SweepRow, SweepTable, Tally, Task, figures


def rows(task: Task, table: SweepTable, tally: Tally) -> Iterator[SweepRow]:
    """The rows of one task, the first axis slowest; what a constraint rules out is counted and left out."""
    if table.largest is not None:
        yield from _largest_rows(task, table, tally)
        return
    for config in configurations(task):
        for row in judged(task, table, config, tally):
            if row.word != INVALID:
                tally.words[row.word] += 1
            yield row


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


def judged(task: Task, table: SweepTable, config: Config, tally: Tally) -> list[SweepRow]:
    """The rows of one configuration, one a budget; none where a constraint rules it out.

    What is skipped or INVALID is counted; OK and OVER are left to the caller.
    """
    spec = task.scenario.spec
    try:
        env = bind(spec, config)
        if violated(spec.constraints, env):
            tally.skipped += 1
            return []
        plan = plan_bound(spec, env, (), task.options)
        verdicts = [judge(plan, budget) for budget in task.budgets]
    except FaultError as error:
        tally.invalid(task.scenario, _of(config, error))
        values = tuple(_shown(config.get(name)) for name in table.columns)
        row = SweepRow(task.scenario.path, spec.name, _budget_names(task), values, INVALID, None)
        return [row._replace(params=_params(spec, config))]
    values = tuple(env.get(name) for name in table.columns)
    return [_row(task, values, verdict) for verdict in verdicts]


def _row(task: Task, values: tuple[Value | str | None, ...], verdict: Verdict) -> SweepRow:
    word = OK if verdict.fits else OVER
    scenario = task.scenario
    return SweepRow(
        scenario.path, scenario.name, verdict.budget.name, values, word, figures(verdict), verdict
    )


def _params(spec: ScenarioSpec, config: Config) -> dict[str, Value] | None:
    """Every parameter of a configuration; None where one of them has no value."""
    try:
        env = bind(spec, config)
    except FaultError:
        return None
    return {name: env[name] for name, _ in spec.params}


def _shown(choice: Choice | None) -> Value | str | None:
    return choice.text if isinstance(choice, Expr) else choice


def _of(config: Config, error: FaultError) -> FaultError:
    """The faults of a configuration, with its values in the message."""
    values = ", ".join(f"{name}={_text(choice)}" for name, choice in config.items())
    return FaultError([fault._replace(message=f"{fault.message} (with {values})") for fault in error.faults])


def _text(choice: Choice) -> str:
    return choice.text if isinstance(choice, Expr) else show(choice)


def _budget_names(task: Task) -> str:
    texts = [str(budget.text) for budget in task.budgets]
    presets = [devices.find(text) for text in texts]
    return ", ".join(p.name if p else text for p, text in zip(presets, texts, strict=True))


def _largest_rows(task: Task, table: SweepTable, tally: Tally) -> Iterator[SweepRow]:
    """For each combination of the other axes and each budget, the largest value that fits."""
    others = task._replace(axes=tuple(axis for axis in task.axes if axis.name != table.largest))
    values = next(descending(axis.values) for axis in task.axes if axis.name == table.largest)
    for config in configurations(others):
        for budget in task.budgets:
            one = task._replace(budgets=(budget,))
            row = _largest(one, table, config, values, tally)
            if row is not None:
                tally.words[row.word] += 1
                yield row


def _largest(
    task: Task, table: SweepTable, config: Config, values: Sequence[int], tally: Tally
) -> SweepRow | None:
    assert table.largest is not None
    last: SweepRow | None = None
    for value in values:
        for row in judged(task, table, {**config, table.largest: value}, tally):
            if row.word == OK:
                return row
            last = row if row.word == OVER or last is None else last
    if last is None or last.word == INVALID:
        return None
    return last._replace(values=(*last.values[:-1], None), figures=None, verdict=None)


def descending(values: Sequence[Choice]) -> Sequence[int]:
    """The integers of an axis, the largest first, each once."""
    if isinstance(values, range):
        return values[::-1]
    return sorted({value for value in values if isinstance(value, int)}, reverse=True)
