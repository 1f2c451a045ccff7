"""Tables for people: stable, so that a change of one number changes one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from smemdsl.render.suggestions import blocks
from smemdsl.render.tables import check_rows, counts, matrix_rows, sweep_rows, table, tally_line
from smemdsl.results import Report

if TYPE_CHECKING:
    from smemdsl.diffing.changes import Diff
    from smemdsl.sweeping import Row, Table, Tally


def check(report: Report) -> Iterator[str]:
    """One row a scenario and budget, then one summary line."""
    headers, rows, left = check_rows(report)
    if rows:
        yield table(headers, rows, left) + "\n\n"
    for heading, lines in blocks(report):
        yield "\n".join([heading, *(f"  {line}" for line in lines)]) + "\n\n"
    yield counts(report) + "\n"


def matrix(report: Report) -> Iterator[str]:
    """One row a scenario, one column a budget, a verdict in each cell."""
    headers, rows = matrix_rows(report)
    if rows:
        yield table(headers, rows, len(headers)) + "\n\n"
    yield counts(report) + "\n"


def pack(report: Report) -> Iterator[str]:
    """The layout of every scenario, one below the other."""
    from smemdsl.render.layout import by_layout, layout

    for i, results in enumerate(by_layout(report.results)):
        yield ("\n\n" if i else "") + layout(results, report.maps)
    if len(report.results) != 1:
        yield ("\n\n" if report.results else "") + counts(report)
    yield "\n"


def comparison(report: Report) -> Iterator[str]:
    """The policies side by side, a table for each scenario and budget."""
    from smemdsl.render.policies import comparisons

    for title, lines, cells in comparisons(report, table):
        yield "\n".join([title, *lines, "", cells]) + "\n\n"
    yield counts(report) + "\n"


def sweep(layout: Table, rows: Iterable[Row], tally: Tally) -> Iterator[str]:
    """One row a configuration, then the counts."""
    headers, cells, left = sweep_rows(layout, rows)
    if cells:
        yield table(headers, cells, left) + "\n\n"
    yield tally_line(tally) + "\n"


def pivot(layout: Table, rows: Iterable[Row], tally: Tally, by: str) -> Iterator[str]:
    """A grid over one parameter, then the counts."""
    from smemdsl.render.grid import grid

    headers, cells = grid(layout, rows, by)
    if cells:
        yield table(headers, cells, 0) + "\n\n"
    yield tally_line(tally) + "\n"


def diff(found: Diff) -> Iterator[str]:
    """One line a change, what explains it below, then the counts."""
    from smemdsl.render.changes import details, line, summary

    for change in found.changes:
        yield line(change) + "\n"
        yield from (f"  {detail}\n" for detail in details(change))
    yield ("\n" if found.changes else "") + summary(found) + "\n"
