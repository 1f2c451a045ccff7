"""Scenarios judged on one core or several, their verdicts in order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.api import Scenario
from smemdsl.core.errors import Diagnostic, Fault, ScenarioError
from smemdsl.judging.verdict import Verdict

if TYPE_CHECKING:
    from smemdsl.execution.processes import OrderedExecutor

Lint = Callable[[Scenario, Sequence[Verdict]], Iterable[Fault]]
"""Warnings about a scenario whose verdicts are known."""
WORTH = 3.0
"""Seconds of work from which on more than one core is used without being asked."""
_SEARCH, _PROGRAM, _PACKING = 0.5, 0.005, 0.0003
"""Seconds that a scenario takes: under the policy that searches, to lower a program, and otherwise."""


class JudgeSteps(NamedTuple):
    """How a scenario is judged; for other processes, both functions belong to a module."""

    verdicts: Callable[[Scenario], Sequence[Verdict]]
    lint: Lint | None


class JudgedScenario(NamedTuple):
    """What became of a scenario."""

    verdicts: Sequence[Verdict]
    faults: tuple[Fault, ...]
    """What is wrong with it, or looks wrong, in the order of the verdicts."""
    problems: tuple[Diagnostic, ...] = ()
    """Why it has no verdict."""
    fails: bool = False
    """It has none since it breaks a constraint."""


def judge(how: JudgeSteps, scenario: Scenario) -> JudgedScenario:
    """Judge one scenario."""
    try:
        found = how.verdicts(scenario)
    except ScenarioError as error:
        return JudgedScenario([], (), error.diagnostics, error.fails)
    faults = [f for verdict in found for f in (*verdict.failures, *verdict.warnings)]
    faults += () if how.lint is None else how.lint(scenario, found)
    return JudgedScenario(found, tuple(dict.fromkeys(faults)))


def judge_all(
    how: JudgeSteps,
    scenarios: Sequence[Scenario],
    jobs: int | None,
    policy: str | None,
    executor: "OrderedExecutor | None" = None,
) -> Iterator[JudgedScenario]:
    """Judge scenarios, in their order.

    Args:
        how: How.
        scenarios: What to judge.
        jobs: Processes; None: as many as there are cores, if there is enough to do.
        policy: The one that takes the place of the files'.
        executor: Who else does the work.
    """
    alone = jobs == 1 or len(scenarios) < 2 or (jobs is None and _seconds(scenarios, policy) < WORTH)
    if executor is None and alone:
        yield from (judge(how, scenario) for scenario in scenarios)
        return
    from smemdsl.execution import processes

    executor = executor or processes.Processes(jobs or processes.cores())
    step = max(1, min(16, len(scenarios) // (8 * executor.size)))
    parts = [range(start, min(start + step, len(scenarios))) for start in range(0, len(scenarios), step)]
    for _, found in executor.imap_ordered(_judge_part, (how, scenarios), parts):
        yield from found


def _judge_part(known: tuple[JudgeSteps, Sequence[Scenario]], part: range) -> list[JudgedScenario]:
    how, scenarios = known
    return [judge(how, scenarios[i]) for i in part]


def _seconds(scenarios: Iterable[Scenario], policy: str | None) -> float:
    """About how long it takes."""
    seconds = 0.0
    for scenario in scenarios:
        spec = scenario.spec
        seconds += _SEARCH if (policy or spec.policy) == "optimal" else 0.0
        seconds += _PROGRAM if spec.program is not None else _PACKING
    return seconds
