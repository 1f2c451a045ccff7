"""What a command found, between those who judge and those who print; neither knows the other."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.core import exit_codes
from smemdsl.core.buffers import Bytes
from smemdsl.core.confidence import EXACT
from smemdsl.core.errors import Diagnostic
from smemdsl.judging.verdict import FAIL, OK, OVER, Verdict

if TYPE_CHECKING:
    from smemdsl.judging.compare_policies import PolicyResult
    from smemdsl.judging.explain import BufferReason
    from smemdsl.judging.suggestions import Suggestion

INVALID = "INVALID"


class Result(NamedTuple):
    """One scenario on one budget."""

    path: str
    verdict: Verdict
    reasons: "tuple[BufferReason, ...]" = ()
    """Why each buffer is as it is, where that was asked for."""
    largest: Mapping[str, int | None] | None = None
    """The largest value that fits of each swept parameter, where that was asked for."""
    over: Diagnostic | None = None
    """That it is over budget and not expected to be, at the line of a buffer."""
    suggestions: "tuple[Suggestion, ...] | None" = None
    """What would fit, where that was asked for."""
    rivals: "tuple[PolicyResult, ...]" = ()
    """What other policies make of the same buffers, where that was asked for."""
    bound: Bytes | None = None
    """What no arena can go below, where policies are compared."""


class Summary(NamedTuple):
    """Counts: scenarios (sound or not), and the verdicts of the sound ones on all their budgets."""

    scenarios: int
    ok: int
    over: int
    fail: int
    invalid: int
    expected_over: int
    """Of `over`, those that the file expects."""
    unsure: int = 0
    """Of `ok`, those whose confidence is not exact."""


class MapOptions(NamedTuple):
    """How arenas are drawn."""

    width: int
    """Columns that there are."""
    lines: int
    """Lines for the addresses, walls not counted."""
    unicode: bool
    """Whether the output can carry box-drawing characters."""


class Report(NamedTuple):
    """All that one run of `check` or `pack` found."""

    command: str
    results: tuple[Result, ...]
    diagnostics: tuple[Diagnostic, ...]
    summary: Summary
    notes: tuple[str, ...] = ()
    """What a person should know about the run as a whole."""
    headline: str = ""
    """Stands for the counts where these would mislead."""
    maps: MapOptions | None = None
    """Arenas are drawn, where that was asked for."""
    failed: bool = False
    """Something is wrong that no verdict says: a warning under `--strict`, a step back from a baseline."""


def summarize(results: Iterable[Result], invalid: int, failed: int = 0) -> Summary:
    """The counts of a run: `invalid` inputs had no meaning, `failed` ones broke a constraint as well."""
    results = list(results)
    verdicts = [result.verdict.verdict for result in results]
    return Summary(
        len({result.path for result in results}) + invalid + failed,
        verdicts.count(OK),
        verdicts.count(OVER),
        verdicts.count(FAIL) + failed,
        invalid,
        sum(result.verdict.over_expected for result in results if result.verdict.verdict == OVER),
        sum(result.verdict.confidence != EXACT for result in results if result.verdict.verdict == OK),
    )


def exit_code(report: Report) -> int:
    """The exit code of a run: the highest that anything in it asks for."""
    if any(diagnostic.line is None and diagnostic.severity == "error" for diagnostic in report.diagnostics):
        return exit_codes.INVALID
    if report.summary.invalid:
        return exit_codes.INVALID
    passes = all(result.verdict.passes for result in report.results)
    return exit_codes.OK if passes and not report.failed else exit_codes.OVER
