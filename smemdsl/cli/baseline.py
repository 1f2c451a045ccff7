"""`check --baseline`: only what is worse than a stored result, each as an error at the buffer behind it."""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.api import Scenario
from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.judging.result import Report, summarize
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.findings import of_change
from smemdsl.review.changes import Diff, compare, worse_only
from smemdsl.review.live import states_of
from smemdsl.review.state import Snapshot
from smemdsl.review.stored import read_result
from smemdsl.source import discovery

CODE = "worse-than-baseline"


def read_baseline(path: str) -> Snapshot:
    """The stored result in a file.

    Raises:
        ScenarioError: it cannot be read, or is no result.
    """
    text = discovery.read(discovery.Source(path, discovery.printable(path)))
    if isinstance(text, Diagnostic):
        raise ScenarioError([text])
    return read_result(text)


def against(report: Report, baseline: Snapshot, scenarios: Sequence[Scenario], *, verified: bool) -> Report:
    """The report cut down to what is worse than the baseline; inputs that cannot be judged stay in it."""
    verdicts: dict[str, list[Verdict]] = {}
    for result in report.results:
        verdicts.setdefault(result.path, []).append(result.verdict)
    judged = [scenario for scenario in scenarios if scenario.path in verdicts]
    states = tuple(s for one in judged for s in states_of(one, verdicts[one.path]))
    diff = worse_only(compare(baseline, Snapshot("the scenarios", states, verified=verified)))
    worse = {change.state.path for change in diff.changes}
    found = [of_change(change, CODE, "error") for change in diff.changes]
    unjudged = tuple(d for d in report.diagnostics if d.path not in verdicts)
    results = tuple(result for result in report.results if result.path in worse)
    return report._replace(
        results=results,
        diagnostics=(*unjudged, *found),
        summary=summarize(results, report.summary.invalid),
        notes=(*report.notes, *diff.notes),
        headline=_headline(diff, len(judged), baseline.name),
        failed=bool(found),
    )


def _headline(diff: Diff, scenarios: int, baseline: str) -> str:
    worse = len(diff.changes)
    noun = "scenario" if scenarios == 1 else "scenarios"
    if not worse:
        return f"nothing is worse than {baseline}: {scenarios} {noun}"
    return f"{worse} of {scenarios} {noun} {'is' if worse == 1 else 'are'} worse than {baseline}"
