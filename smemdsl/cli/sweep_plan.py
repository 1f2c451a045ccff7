"""From the options of `sweep` to what each scenario is swept over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from smemdsl import devices
from smemdsl.api import Scenario
from smemdsl.cli.configs import RawConfig
from smemdsl.core.confidence import APPROXIMATE, BOUND
from smemdsl.core.errors import Diagnostic, ExpressionError, FaultError, ScenarioError
from smemdsl.judging.judge import judge, target_warning
from smemdsl.judging.plan import Options, make_plan
from smemdsl.scenario.axes import read_axis
from smemdsl.scenario.spec import Axis, BudgetSpec, Choice, Expr
from smemdsl.source.discovery import problem
from smemdsl.sweeping import SweepTable, Task
from smemdsl.sweeping.plain import configurations


def make_task(
    scenario: Scenario,
    settings: Mapping[str, str],
    configs: Sequence[RawConfig],
    budgets: Sequence[str],
    options: Options,
    largest: str | None,
) -> Task:
    """What one scenario is swept over: the configurations given, or the file's, or the axes.

    Raises:
        ScenarioError: a value is not a value of its parameter, or there is nothing to sweep.
    """
    given = {name: _axis(scenario, name, text) for name, text in settings.items() if name in scenario.params}
    listed = _listed(scenario, configs) or [dict(c) for c in scenario.spec.configs]
    own = {axis.name: axis for axis in scenario.spec.axes}
    own |= {axis.name: axis for axis in scenario.spec.fill if axis.name == largest and largest not in own}
    axes = tuple(given.pop(name, axis) for name, axis in own.items())
    fixed = {name: axis.values[0] for name, axis in given.items() if len(axis.values) == 1}
    axes += tuple(axis for name, axis in given.items() if name not in fixed)
    if listed:
        _refuse_axes(scenario, given.keys() - fixed.keys(), largest)
        axes = ()
    elif not axes:
        hint = "give one: --set num_stages=1..4, or `sweep:` in the file"
        raise _error(scenario, "no-axes", "there is nothing to sweep: no axis and no configuration", hint)
    if largest is not None:
        _check_largest(scenario, axes, largest)
    chosen = tuple(BudgetSpec(text, ("--budget",)) for text in budgets) or scenario.spec.budgets
    return Task(scenario, axes, tuple(listed), fixed, chosen, options)


def once_each(task: Task) -> tuple[Task, str]:
    """The task with each value of an axis once, where it stands first; and a note of that."""
    axes = tuple(
        axis
        if isinstance(axis.values, range)
        else axis._replace(values=list({_identity(value): value for value in axis.values}.values()))
        for axis in task.axes
    )
    names = [
        one.name for one, all_ in zip(axes, task.axes, strict=True) if len(one.values) < len(all_.values)
    ]
    if not names:
        return task, ""
    which = f"{task.scenario.name}: {', '.join(names)} {'names' if len(names) == 1 else 'name'}"
    return task._replace(axes=axes), f"{which} a value twice; each is judged once"


def make_table(tasks: Sequence[Task], largest: str | None) -> SweepTable:
    """What the rows of all tasks have in common."""
    names = dict.fromkeys(name for task in tasks for name in _names(task))
    columns = [name for name in names if name != largest] + ([largest] if largest else [])
    return SweepTable(
        tuple(columns),
        largest,
        scenarios=len(tasks) > 1,
        budgets=any(len(task.budgets) > 1 for task in tasks) or len({task.budgets for task in tasks}) > 1,
        integers=tuple(name for name in columns if all(_is_integer(task, name) for task in tasks)),
    )


def _is_integer(task: Task, name: str) -> bool:
    """Whether every value that a parameter takes is an integer, or the scenario has no such parameter."""
    axis = next((axis.values for axis in task.axes if axis.name == name), None)
    if isinstance(axis, range):
        return True
    own = [value for other, value in task.scenario.spec.params if other == name]
    configured = [config.get(name, value) for config in task.configs for value in own]
    fixed = [task.fixed[name]] if name in task.fixed else []
    return all(type(value) is int for value in axis or fixed or configured or own)


def unfilled(task: Task) -> str:
    """What is said of parameters that `check` would fill, and that have one value in every row of a sweep."""
    names = [axis.name for axis in task.scenario.spec.fill]
    left = [name for name in names if name not in {*_names(task), *task.fixed}]
    if not left:
        return ""
    return f"{task.scenario.name}: a sweep fills nothing; --max {left[0]} gives the largest value that fits"


def doubts(task: Task) -> list[Diagnostic]:
    """Why no row is exact, as far as the first configuration tells; nothing where it has no meaning."""
    spec = task.scenario.spec
    if spec.program is None and not spec.uncertain:
        return []
    first = next(configurations(task), {})
    try:
        found = judge(make_plan(spec, first, task.options), task.budgets[0]).warnings
    except FaultError:
        return []
    return task.scenario.diagnose([fault for fault in found if fault.code in (BOUND, APPROXIMATE)])


def other_targets(task: Task) -> list[Diagnostic]:
    """The warnings that a program is judged by devices which it is not lowered for."""
    spec = task.scenario.spec
    presets = [devices.find(budget.text) for budget in task.budgets if isinstance(budget.text, str)]
    faults = [fault for one in presets if one for fault in target_warning(spec, one, one.name)]
    return task.scenario.diagnose(faults)


def _names(task: Task) -> Iterable[str]:
    return (
        (name for config in task.configs for name in config) if task.configs else (a.name for a in task.axes)
    )


def _identity(value: Choice) -> object:
    """What two values that are the same have in common; true is not 1."""
    return value.text.strip() if isinstance(value, Expr) else (type(value), value)


def _axis(scenario: Scenario, name: str, text: str) -> Axis:
    try:
        return read_axis(name, text, lambda value, _: scenario.choice(name, value))
    except ExpressionError as error:
        raise _error(scenario, error.code, f"--set {name}: {error.message}", error.hint) from None


def _listed(scenario: Scenario, configs: Sequence[RawConfig]) -> list[dict[str, Choice]]:
    """The configurations as choices; all that is wrong with them is told at its place in their file."""
    found: list[dict[str, Choice]] = []
    wrong: list[Diagnostic] = []
    for config in configs:
        choices: dict[str, Choice] = {}
        for name, value in config.values.items():
            try:
                if name in scenario.params:
                    choices[name] = scenario.choice(name, value)
            except ScenarioError as error:
                wrong += [config.diagnose(name, d.code, d.message, d.hint) for d in error.diagnostics]
        found.append(choices)
    if wrong:
        raise ScenarioError(wrong)
    return found


def _refuse_axes(scenario: Scenario, axes: Iterable[str], largest: str | None) -> None:
    for name in axes:
        message = f"configurations are listed, so --set {name} takes one value"
        raise _error(scenario, "axis", message)
    if largest is not None:
        raise _error(scenario, "axis", "--max needs axes, but configurations are listed")


def _check_largest(scenario: Scenario, axes: Sequence[Axis], largest: str) -> None:
    axis = next((axis for axis in axes if axis.name == largest), None)
    if axis is None:
        hint = f"give one: --set {largest}=1..8"
        raise _error(scenario, "axis", f"--max {largest}: no axis says which values to try", hint)
    if not isinstance(axis.values, range) and not all(type(value) is int for value in axis.values):
        raise _error(scenario, "axis", f"--max {largest}: its values are not all integers")


def _error(scenario: Scenario, code: str, message: str, hint: str = "") -> ScenarioError:
    return ScenarioError([problem(scenario.path, code, message, hint)])
