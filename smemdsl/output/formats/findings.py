"""What a machine points at: every problem of a run as a diagnostic with its line.

A scenario that is over budget is no fault of its file, so a report keeps it apart; where lines are annotated
it needs one: that of the largest buffer at the peak.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from smemdsl.core.errors import Diagnostic, Fault
from smemdsl.judging.result import Report
from smemdsl.output.formats.changes import biggest_buffer, details, line
from smemdsl.review.changes import Change, Diff


def findings(report: Report) -> list[Diagnostic]:
    """All diagnostics of a report, those of scenarios over budget among them, by file and line."""
    overs = (result.over for result in report.results if result.over is not None)
    found = dict.fromkeys([*report.diagnostics, *overs])
    return sorted(found, key=lambda item: (item.path, item.line or 0, item.column or 0))


def sentence(diagnostic: Diagnostic) -> str:
    """The message with what explains it, for formats that have one text."""
    parts = [diagnostic.message, diagnostic.why, diagnostic.hint]
    return "; ".join(part for part in parts if part)


def file_of(diagnostic: Diagnostic) -> str:
    """The path as programs compare it with theirs: without `./` and the like."""
    return posixpath.normpath(diagnostic.path)


def of_diff(diff: Diff) -> Iterator[Diagnostic]:
    """A diagnostic for each change, at the buffer that explains it, and for each expectation that broke."""
    yield from diff.diagnostics
    for change in diff.changes:
        yield of_change(change, *_kind(change))
        yield from change.broken


def _kind(change: Change) -> tuple[str, str]:
    """Code and severity."""
    if change.fails:
        return "regression", "error"
    return ("growth", "warning") if change.worse else ("changed", "note")


def of_change(change: Change, code: str, severity: str) -> Diagnostic:
    """One change as a diagnostic, at the buffer that explains most of it."""
    new, why = change.new, "; ".join(details(change))
    if new is None or new.scenario is None:
        return Diagnostic(change.state.path, None, None, severity, code, line(change), why=why)
    largest = max(new.buffers or (), key=lambda buffer: buffer.bytes, default=None)
    buffer = biggest_buffer(change, new) or (largest and largest.name)
    where = ("buffers", buffer) if buffer else ()
    fault = Fault(where, code, line(change), on_key=True, severity=severity, why=why)
    return new.scenario.document.diagnose(fault)
