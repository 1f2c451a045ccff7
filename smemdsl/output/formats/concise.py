"""One line a finding, for editors and for grep: `path:line:col: severity[code] message`."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.shown import one_line
from smemdsl.core.truncate import shortened
from smemdsl.judging.result import Report
from smemdsl.output.formats.diagnostics import headline
from smemdsl.output.formats.findings import findings, sentence


def check(report: Report) -> Iterator[str]:
    """Every finding of the run; nothing where there is none."""
    for finding in findings(report):
        yield f"{headline(finding)} {one_line(shortened(sentence(finding)))}\n"


pack = check
