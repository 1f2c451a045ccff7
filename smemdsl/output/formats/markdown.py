"""Markdown: the tables of the text format, as a pull request shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from smemdsl.core.errors import Diagnostic
from smemdsl.judging.result import Report, Result
from smemdsl.output.formats.findings import findings, sentence
from smemdsl.output.formats.grid import grid
from smemdsl.output.formats.layout import buffer_table, by_layout, filling, judgement, sections, totals
from smemdsl.output.formats.sections import by_scenario
from smemdsl.output.formats.suggestions import blocks
from smemdsl.output.formats.tables import (
    check_rows,
    counts,
    escape,
    matrix_rows,
    pipe_table,
    sweep_rows,
    tally_line,
)
from smemdsl.sweeping import SweepRow, SweepTable, Tally

if TYPE_CHECKING:
    from smemdsl.review.changes import Diff


def check(report: Report) -> Iterator[str]:
    """One row a scenario and budget, then the summary."""
    headers, rows, left = check_rows(report)
    yield _table(headers, rows, left)
    for heading, lines in blocks(report):
        yield "\n".join([f"{escape(heading)}\n", *(f"- {escape(line)}" for line in lines)]) + "\n\n"
    yield counts(report) + "\n"
    found = findings(report)
    yield from ["\n", *map(_finding, found)] if found else []


def _finding(item: Diagnostic) -> str:
    """A list item: the place, the severity, the code, and the whole message."""
    place = item.path if item.line is None else f"{item.path}:{item.line}"
    return f"- {escape(place)} **{item.severity}** ({item.code}): {escape(sentence(item))}\n"


def matrix(report: Report) -> Iterator[str]:
    """One row a scenario, one column a budget."""
    headers, rows = matrix_rows(report)
    yield _table(headers, rows, len(headers)) + counts(report) + "\n"


def pack(report: Report) -> Iterator[str]:
    """A section for each scenario."""
    for i, results in enumerate(by_layout(report.results)):
        yield ("\n" if i else "") + "\n\n".join(_section(results)) + "\n"


def comparison(report: Report) -> Iterator[str]:
    """The policies side by side, a section for each scenario and budget."""
    from smemdsl.output.formats.policies import comparisons

    for title, lines, cells in comparisons(report, pipe_table):
        yield "\n\n".join([f"## {escape(title)}", *map(escape, lines), cells]) + "\n\n"
    yield counts(report) + "\n"


def sweep(table: SweepTable, rows: Iterable[SweepRow], tally: Tally) -> Iterator[str]:
    """One row a configuration, a section for each scenario where their parameters differ; then the counts."""
    for title, alone, some in by_scenario(table, rows):
        headers, cells, left = sweep_rows(alone, some)
        yield (f"## {escape(title)}\n\n" if title else "") + _table(headers, cells, left)
    yield tally_line(tally) + "\n"


def pivot(table: SweepTable, rows: Iterable[SweepRow], tally: Tally, by: str) -> Iterator[str]:
    """A grid over one parameter, then the counts."""
    headers, cells = grid(table, rows, by)
    yield _table(headers, cells, 0) + tally_line(tally) + "\n"


def diff(found: Diff) -> Iterator[str]:
    """A table for a pull request, what explains it folded below; nothing where nothing changed."""
    from smemdsl.output.formats.changes import summary
    from smemdsl.output.formats.changes_table import HEADERS, LEFT, explained, rows

    if not found.changes:
        return
    yield f"**Shared memory**: {escape(summary(found))}\n\n"
    yield _table(HEADERS, rows(found), LEFT)
    items = [
        "\n".join([f"- {escape(name)}", *(f"  - {escape(line)}" for line in lines)])
        for name, lines in explained(found)
    ]
    if items:
        body = "\n".join(items)
        yield f"<details><summary>What explains it</summary>\n\n{body}\n\n</details>\n"


def _table(headers: list[str], rows: list[list[str]], left: int) -> str:
    if not rows:
        return ""
    return pipe_table(headers, rows, left) + "\n\n"


def _section(results: Sequence[Result]) -> Iterator[str]:
    result = results[0]
    plan = result.verdict.plan
    yield f"## {escape(plan.name)}"
    yield f"`{result.path}`, policy {plan.policy}"
    if chosen := filling(result.verdict):
        yield escape(chosen)
    yield buffer_table(plan, pipe_table)
    yield "\n".join(
        f"- {escape(line.strip())}"
        for line in (*totals(plan), *(line for one in results for line in judgement(one.verdict)))
    )
    for title, lines in sections(plan):
        if lines:
            yield f"{title.capitalize()}:\n\n" + "\n".join(f"- {escape(line)}" for line in lines)
