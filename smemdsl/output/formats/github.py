"""Annotations of GitHub Actions: workflow commands that put each finding at its line of the pull request.

The commands and their escapes: docs.github.com, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import visible
from smemdsl.judging.result import Report
from smemdsl.output.formats.findings import file_of, findings, of_diff

if TYPE_CHECKING:
    from smemdsl.review.changes import Diff

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def check(report: Report) -> Iterator[str]:
    """One annotation a finding."""
    return _annotations(findings(report))


pack = check


def diff(found: Diff) -> Iterator[str]:
    """One annotation a change, at the buffer that explains it; nothing where nothing changed."""
    return _annotations(of_diff(found))


def _annotations(found: Iterable[Diagnostic]) -> Iterator[str]:
    for item in found:
        fields = {"file": file_of(item), "title": item.code}
        if item.line is not None and item.column is not None:
            fields |= {"line": str(item.line), "col": str(item.column)}
            fields |= {"endLine": str(item.line), "endColumn": str(item.column + item.length)}
        properties = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
        yield f"::{_COMMANDS[item.severity]} {properties}::{_data(_lines(item))}\n"


def _lines(item: Diagnostic) -> str:
    """The message, and below it what explains it, a line a clause: an annotation is a narrow box."""
    return "\n".join(filter(None, [item.message, *item.why.split("; "), item.hint]))


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
