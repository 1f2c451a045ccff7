"""Parameters that take the largest value that fits, as CUTLASS's automatic stage count does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from smemdsl.core.errors import FaultError
from smemdsl.judging.judge import judge
from smemdsl.judging.plan import ArenaPlan, Options, make_plan
from smemdsl.judging.verdict import Verdict
from smemdsl.scenario.spec import Axis, BudgetSpec, Choice, ScenarioSpec


def judge_filled(
    spec: ScenarioSpec,
    given: Mapping[str, Choice] | None,
    budgets: Iterable[BudgetSpec],
    options: Options | None = None,
) -> Iterator[Verdict]:
    """The verdict on each budget, which is filled for itself; one plan for all where nothing is to be filled.

    Raises:
        FaultError: an expression has no value, a value is out of its range, or a budget cannot be resolved.
        UnknownNameError: there is no such policy.
    """
    plan = None
    for budget in budgets:
        if plan is None or spec.fill:
            plan = filled_plan(spec, given, budget, options)
        yield judge(plan, budget)


def filled_plan(
    spec: ScenarioSpec,
    given: Mapping[str, Choice] | None,
    budget: BudgetSpec,
    options: Options | None = None,
) -> ArenaPlan:
    """The plan for one budget: the parameters of `fill` that are not given have taken what fits it.

    Raises:
        FaultError: an expression has no value, or a value is out of its range.
        UnknownNameError: there is no such policy.
    """
    given = given or {}
    axes = [axis for axis in spec.fill if axis.name not in given]
    if not axes:
        return make_plan(spec, given, options)
    plan = make_plan(spec, {**given, **fill(spec, axes, budget, given, options)}, options)
    return plan._replace(filled=tuple(axis.name for axis in axes))


def fill(
    spec: ScenarioSpec,
    axes: Sequence[Axis],
    budget: BudgetSpec,
    given: Mapping[str, Choice],
    options: Options | None = None,
) -> dict[str, int]:
    """For each axis in turn the largest of its values that fits.

    While one is chosen, the later ones are at their least. A value with which the file has no meaning, or
    which breaks a constraint, does not fit. An axis of which nothing fits takes the value that needs the
    fewest bytes.

    Args:
        spec: The scenario.
        axes: Parameters to fill and the values to choose from, integers, the first filled first.
        budget: What must hold it.
        given: Values of other parameters.
        options: Policy and alignment, where they are not the file's.
    """
    chosen = {axis.name: min(integers(axis)) for axis in axes}
    for axis in axes:
        needed: list[tuple[int, int]] = []
        for value in descending(axis):
            verdict = try_judge(spec, {**given, **chosen, axis.name: value}, budget, options)
            if verdict is not None:
                needed.append((verdict.plan.launch, value))
                if verdict.fits:
                    chosen[axis.name] = value
                    break
        else:
            chosen[axis.name] = min(needed)[1] if needed else chosen[axis.name]
    return chosen


def try_judge(
    spec: ScenarioSpec, config: Mapping[str, Choice], budget: BudgetSpec, options: Options | None
) -> Verdict | None:
    """The verdict of a configuration; None where it has no meaning or a constraint does not hold."""
    try:
        plan = make_plan(spec, config, options)
        return None if plan.violated else judge(plan, budget)
    except FaultError:
        return None


def integers(axis: Axis) -> Sequence[int]:
    """The values of an axis that are integers."""
    if isinstance(axis.values, range):
        return axis.values
    return [value for value in axis.values if isinstance(value, int)]


def descending(axis: Axis) -> Sequence[int]:
    """The integers of an axis, the largest first, each once."""
    if isinstance(axis.values, range):
        return axis.values[::-1]
    return sorted(set(integers(axis)), reverse=True)
