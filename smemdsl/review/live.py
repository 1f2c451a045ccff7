"""The states of scenario files, judged now."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence

from smemdsl.api import Scenario
from smemdsl.core.buffers import PlacedBuffer
from smemdsl.core.errors import Diagnostic, FaultError, ScenarioError
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.unmet_expectations import largest
from smemdsl.judging.verdict import Verdict
from smemdsl.review.state import BudgetState, ScenarioState, Snapshot
from smemdsl.scenario.binding import plain

MOST_VALUES = 256
"""Values of an axis up to which a diff looks for the largest that fits: each is a whole judgement."""

JudgeFunction = Callable[[Scenario], Sequence[Verdict]]


def snapshot(name: str, scenarios: Iterable[Scenario], judge: JudgeFunction, *, root: str = "") -> Snapshot:
    """The states of the scenarios, below a folder where one was given; what cannot be judged is reported."""
    states: list[ScenarioState] = []
    diagnostics: list[Diagnostic] = []
    invalid = 0
    for scenario in scenarios:
        try:
            states += states_of(scenario, judge(scenario), root)
        except ScenarioError as error:
            diagnostics += error.diagnostics
            invalid += 1
    return Snapshot(name, tuple(states), tuple(diagnostics), invalid)


def states_of(scenario: Scenario, verdicts: Sequence[Verdict], root: str = "") -> list[ScenarioState]:
    """The state of a scenario whose verdicts are known; with `fill`, one for each budget, named after it."""
    plans: dict[int, list[Verdict]] = {}
    for verdict in verdicts:
        plans.setdefault(id(verdict.plan), []).append(verdict)
    states = [_state(scenario, of_plan, root) for of_plan in plans.values()]
    return states if len(states) == 1 else [on_budget(state) for state in states]


def on_budget(state: ScenarioState) -> ScenarioState:
    """The state of a scenario that is another on each budget."""
    suffix = f" on {state.budgets[0].name}"
    return state._replace(name=state.name + suffix, key=state.key + suffix)


def _state(scenario: Scenario, verdicts: Sequence[Verdict], root: str) -> ScenarioState:
    plan = verdicts[0].plan
    by_budget = {verdict.budget.name: verdict for verdict in verdicts}
    faults = dict.fromkeys(fault for verdict in verdicts for fault in verdict.failures)
    return ScenarioState(
        path=scenario.path,
        key=posixpath.relpath(scenario.path, root) if root else scenario.path,
        name=plan.name,
        params={name: plain(value) for name, value in plan.params.items()},
        policy=plan.policy,
        arena=plan.packing.arena,
        static=plan.lowered.static_bytes,
        used=plan.used,
        launch=plan.launch,
        buffers=tuple(_buffers(plan)),
        budgets=tuple(_budget(verdict) for verdict in by_budget.values()),
        failures=tuple(scenario.diagnose(faults)),
        scenario=scenario,
    )


def _buffers(plan: ArenaPlan) -> list[PlacedBuffer]:
    return [*plan.layout, *(PlacedBuffer(s.name, s.versions, s.bytes) for s in plan.lowered.statics)]


def _budget(verdict: Verdict) -> BudgetState:
    return BudgetState(
        verdict.budget.name,
        verdict.budget.bytes,
        verdict.verdict,
        verdict.fits,
        verdict.passes,
        verdict.blocks_per_sm,
        largest_values(verdict),
        verdict.confidence,
        verdict.limit,
    )


def largest_values(verdict: Verdict) -> dict[str, int | None]:
    """The largest value that fits of each swept parameter, the others as they stand.

    Left out are axes of more than `MOST_VALUES` values, or of values that are not integers, and every axis
    where the policy is one that searches.
    """
    if verdict.plan.policy == "optimal":
        return {}
    found: dict[str, int | None] = {}
    for axis in verdict.plan.spec.axes:
        if len(axis.values) > MOST_VALUES or not all(type(value) is int for value in axis.values):
            continue
        try:
            found[axis.name] = largest(verdict.plan, verdict.asked, axis.name)
        except FaultError:
            continue
    return found
