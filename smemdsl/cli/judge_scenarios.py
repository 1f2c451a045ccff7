"""Scenarios judged on one core or several, their verdicts in order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.api import Scenario
from smemdsl.core.errors import Diagnostic, Fault, ScenarioError
from smemdsl.judging.verdict import Verdict

if TYPE_CHECKING:
    from smemdsl.execution.processes import Crew

Lint = Callable[[Scenario, Sequence[Verdict]], Iterable[Fault]]
"""Warnings about a scenario whose verdicts are known."""
WORTH = 3.0
"""Seconds of work from which on more than one core is used without being asked."""
_SEARCH, _PROGRAM, _PACKING = 0.5, 0.005, 0.0003
"""Seconds that a scenario takes: under the policy that searches, to lower a program, and otherwise."""


class Judge(NamedTuple):
    """How a scenario is judged; for other processes, both functions belong to a module."""

    verdicts: Callable[[Scenario], Sequence[Verdict]]
    lint: Lint | None


class Judged(NamedTuple):
    """What became of a scenario."""

    verdicts: Sequence[Verdict]
    faults: tuple[Fault, ...]
    """What is wrong with it, or looks wrong, in the order of the verdicts."""
    problems: tuple[Diagnostic, ...] = ()
    """Why it has no verdict."""
    fails: bool = False
    """It has none since it breaks a constraint."""


def judge(how: Judge, scenario: Scenario) -> Judged:
    """Judge one scenario."""
    try:
        found = how.verdicts(scenario)
    except ScenarioError as error:
        return Judged([], (), error.diagnostics, error.fails)
    faults = [f for verdict in found for f in (*verdict.failures, *verdict.warnings)]
    faults += () if how.lint is None else how.lint(scenario, found)
    return Judged(found, tuple(dict.fromkeys(faults)))


def judge_all(
    how: Judge,
    scenarios: Sequence[Scenario],
    jobs: int | None,
    policy: str | None,
    crew: "Crew | None" = None,
) -> Iterator[Judged]:
    """Judge scenarios, in their order.

    Args:
        how: How.
        scenarios: What to judge.
        jobs: Processes; None: as many as there are cores, if there is enough to do.
        policy: The one that takes the place of the files'.
        crew: Who else does the work.
    """
    alone = jobs == 1 or len(scenarios) < 2 or (jobs is None and _seconds(scenarios, policy) < WORTH)
    if crew is None and alone:
        yield from (judge(how, scenario) for scenario in scenarios)
        return
    from smemdsl.execution import processes

    crew = crew or processes.Processes(jobs or processes.cores())
    step = max(1, min(16, len(scenarios) // (8 * crew.size)))
    parts = [range(start, min(start + step, len(scenarios))) for start in range(0, len(scenarios), step)]
    for _, found in crew.ordered(_judge_part, (how, scenarios), parts):
        yield from found


def _judge_part(known: tuple[Judge, Sequence[Scenario]], part: range) -> list[Judged]:
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
