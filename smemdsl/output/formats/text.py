"""Tables for people: stable, so that a change of one number changes one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from smemdsl.core.shown import one_line
from smemdsl.judging.result import MapOptions, Report
from smemdsl.output.formats.color import StyledText
from smemdsl.output.formats.sections import by_scenario
from smemdsl.output.formats.suggestions import blocks
from smemdsl.output.formats.tables import (
    check_rows,
    counts,
    matrix_rows,
    obstacles,
    sweep_rows,
    table,
    tally_line,
)

if TYPE_CHECKING:
    from smemdsl.review.changes import Diff
    from smemdsl.sweeping import SweepRow, SweepTable, Tally


def check(report: Report) -> Iterator[str]:
    """One row a scenario and budget, then one summary line."""
    headers, rows, left = check_rows(report)
    if rows:
        yield table(headers, rows, left) + "\n\n"
    if notes := obstacles(report):
        yield "\n".join(notes) + "\n\n"
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
    from smemdsl.output.formats.layout import by_layout, drawn, layout

    for i, results in enumerate(by_layout(report.results)):
        yield ("\n\n" if i else "") + layout(results)
        if report.maps is not None:
            yield "\n\n"
            yield drawn(results, report.maps)
    if len(report.results) != 1:
        yield ("\n\n" if report.results else "") + counts(report)
    yield "\n"


def comparison(report: Report) -> Iterator[str]:
    """The policies side by side, a table for each scenario and budget."""
    from smemdsl.output.formats.policies import comparisons

    for title, lines, cells in comparisons(report, table):
        yield "\n".join([title, *lines, "", cells]) + "\n\n"
    if report.maps is not None:
        yield from _maps(report, report.maps)
    yield counts(report) + "\n"


def _maps(report: Report, maps: MapOptions) -> Iterator[str]:
    """The map of every arena, one below the other, each under its scenario and policy."""
    from smemdsl.output.formats.layout import by_layout, drawn

    by_plan = sorted(report.results, key=lambda result: (result.path, result.verdict.plan.policy))
    for results in by_layout(by_plan):
        plan = results[0].verdict.plan
        yield f"{plan.name} ({results[0].path}), policy {plan.policy}\n\n"
        yield drawn(results, maps)
        yield "\n\n"


def sweep(layout: SweepTable, rows: Iterable[SweepRow], tally: Tally) -> Iterator[str]:
    """One row a configuration, a table for each scenario where their parameters differ; then the counts."""
    for title, alone, some in by_scenario(layout, rows):
        headers, cells, left = sweep_rows(alone, some)
        if cells:
            yield (f"{title}\n\n" if title else "") + table(headers, cells, left) + "\n\n"
    yield tally_line(tally) + "\n"


def pivot(layout: SweepTable, rows: Iterable[SweepRow], tally: Tally, by: str) -> Iterator[str]:
    """A grid over one parameter, then the counts."""
    from smemdsl.output.formats.grid import grid, painter

    headers, cells = grid(layout, rows, by)
    if cells:
        yield StyledText(table(headers, cells, 0), table(headers, cells, 0, painter(headers, by)))
        yield "\n\n"
    yield tally_line(tally) + "\n"


def diff(found: Diff) -> Iterator[str]:
    """One line a change, what explains it below, then the counts."""
    from smemdsl.output.formats.changes import details, line, summary

    for change in found.changes:
        yield one_line(line(change)) + "\n"
        yield from (f"  {one_line(detail)}\n" for detail in details(change))
    yield ("\n" if found.changes else "") + summary(found) + "\n"
