"""Other policies, added to a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemdsl.core.buffers import Buffer, Bytes
from smemdsl.judging.result import Report
from smemdsl.judging.verdict import Verdict


def with_policy_results(report: Report, policies: Sequence[str]) -> Report:
    """The report with what other policies make of each result's buffers."""
    if not policies:
        return report
    from smemdsl.judging.compare_policies import policy_results

    names = tuple(dict.fromkeys(policies))
    results = (
        result._replace(rivals=policy_results(result.verdict.plan, names)) for result in report.results
    )
    return report._replace(results=tuple(results))


def side_by_side(of_policies: Iterable[Sequence[Verdict]]) -> list[Verdict]:
    """The verdicts of several policies on the same budgets as one list: all of the first budget first."""
    return [verdict for of_budget in zip(*of_policies, strict=True) for verdict in of_budget]


def with_bounds(report: Report) -> Report:
    """The report with what no arena can go below, worked out once for the same buffers."""
    from smemdsl.judging.compare_policies import lower_bound

    known: dict[tuple[Buffer, ...], Bytes] = {}
    plans = [result.verdict.plan for result in report.results]
    for plan in sorted(plans, key=lambda plan: plan.packing.lower_bound is None):
        if plan.lowered.buffers not in known:
            known[plan.lowered.buffers] = lower_bound(plan)
    results = (r._replace(bound=known[r.verdict.plan.lowered.buffers]) for r in report.results)
    return report._replace(results=tuple(results))
