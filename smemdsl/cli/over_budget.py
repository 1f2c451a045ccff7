"""Where a scenario that is over budget is to be pointed at."""

from __future__ import annotations

from collections.abc import Iterable

from smemdsl import devices
from smemdsl.api import Scenario
from smemdsl.core.errors import DocPath, Fault
from smemdsl.judging.result import Report, Result
from smemdsl.judging.verdict import OVER, Verdict


def with_over_budget_diagnostics(report: Report, scenarios: Iterable[Scenario]) -> Report:
    """The report with a diagnostic for each verdict that is over and not expected to be."""
    by_path = {scenario.path: scenario for scenario in scenarios}
    results = (_pointed(result, by_path[result.path]) for result in report.results)
    return report._replace(results=tuple(results))


def _pointed(result: Result, scenario: Scenario) -> Result:
    verdict = result.verdict
    if verdict.verdict != OVER or verdict.over_expected:
        return result
    return result._replace(over=scenario.diagnose([_fault(verdict)._replace(hint=_hint(result))])[0])


def _hint(result: Result) -> str:
    """The first thing that would make it fit, where somebody looked for one."""
    first = next((one for one in result.suggestions or () if one.fits), None)
    return f"{first.change} would fit: {first.outcome}" if first else ""


def _fault(verdict: Verdict) -> Fault:
    """At the largest buffer of the peak, else at the budget; or at the key whose number is in the way."""
    from smemdsl.judging.why import why_used

    plan = verdict.plan
    makers = [plan.lowered.buffers[i] for i in plan.peak.live]
    largest = max(makers, key=lambda buffer: buffer.bytes, default=None)
    where: DocPath = ("budget",) if largest is None else ("buffers", largest.name)
    assert verdict.obstacle is not None
    if verdict.limit == devices.BUDGET:
        message = f"{plan.name} takes {verdict.obstacle.text}"
        return Fault(where, "over-budget", message, on_key=True, why=why_used(verdict))
    message = f"{plan.name} cannot be launched on {verdict.budget.name}: {verdict.obstacle.text}"
    if verdict.limit == devices.OPT_IN:
        return Fault(where, "not-launchable", message, on_key=True, why=why_used(verdict))
    return Fault((str(verdict.limit),), "not-launchable", message, on_key=True)
