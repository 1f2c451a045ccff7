"""What would fit, added to a report."""

from __future__ import annotations

from smemdsl.judging.expect import expects_over
from smemdsl.judging.result import Report, Result
from smemdsl.judging.suggestions import suggest
from smemdsl.judging.verdict import FAIL, OVER, Verdict


def with_suggestions(report: Report, wanted: bool | None) -> Report:
    """The report with suggestions: for every verdict, for none, or for a single file's that is over.

    None asks for what helps without getting in the way: one file alone, over and not expected to be. Whether
    it is called OVER, or FAIL since it was promised to fit, makes no difference.
    """
    alone = len({result.path for result in report.results}) == 1
    if wanted is False or (wanted is None and not alone):
        return report
    results = (
        _suggested(result) if wanted or _is_too_much(result.verdict) else result for result in report.results
    )
    return report._replace(results=tuple(results))


def _is_too_much(verdict: Verdict) -> bool:
    if verdict.verdict == FAIL:
        return not verdict.fits and not expects_over(verdict)
    return verdict.verdict == OVER and not verdict.over_expected


def _suggested(result: Result) -> Result:
    return result._replace(suggestions=suggest(result.verdict))
