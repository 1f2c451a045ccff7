"""One line a finding, for editors and for grep: `path:line:col: severity[code] message`."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.render.diagnostics import headline
from smemdsl.render.findings import findings, sentence
from smemdsl.results import Report
from smemdsl.shortening import shortened


def check(report: Report) -> Iterator[str]:
    """Every finding of the run; nothing where there is none."""
    for finding in findings(report):
        yield f"{headline(finding)} {shortened(sentence(finding))}\n"


pack = check
