"""Comma-separated values: one line a result, integers of bytes.

A spreadsheet computes what begins like a formula, and a formula can run programs: a text that begins so gets
an apostrophe before it, which spreadsheets take as "this is text" (OWASP, "CSV Injection"). Numbers stay.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from smemdsl.core.shown import one_line
from smemdsl.judging.result import Report
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.grid import grid
from smemdsl.output.formats.tables import cell, changed
from smemdsl.scenario.binding import show
from smemdsl.sweeping import Figures, RowField, RowFormat, Stream, SweepRow, SweepSubject, SweepTable, Tally

SIZES = (
    "no_reuse_bytes",
    "peak_bytes",
    "arena_bytes",
    "used_bytes",
    "budget_bytes",
    "verdict",
    "blocks_per_sm",
    "confidence",
    "limit",
)
_CELLS = ("no_reuse", "peak", "arena", "used", "budget", "word", "blocks", "confidence", "limit")
"""Where a row has those."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a formula begins with, or what may stand before that."""
BUFFER = ("buffer", "versions", "bytes", "align", "start", "end", "offset")


def check(report: Report) -> Iterator[str]:
    """One line a scenario and budget."""
    rivals = report.results[0].rivals if report.results else ()
    added = [f"{rival.policy}_arena_bytes" for rival in rivals]
    yield _line(["path", "scenario", "params", "policy", "budget", "static_bytes", *SIZES, *added])
    for result in report.results:
        verdict = result.verdict
        plan = verdict.plan
        head = [
            result.path,
            plan.name,
            changed(plan),
            plan.policy,
            verdict.budget.name,
            plan.lowered.static_bytes,
        ]
        yield _line([*head, *_sizes(verdict), *(rival.packing.arena for rival in result.rivals)])


def matrix(report: Report) -> Iterator[str]:
    """As `check`: a column of budgets is what other programs want."""
    return check(report)


def comparison(report: Report) -> Iterator[str]:
    """One line a scenario, budget and policy, with what no arena can go below."""
    yield _line(
        ["path", "scenario", "params", "policy", "budget", *SIZES, "lower_bound_bytes", "waste_bytes"]
    )
    for result in report.results:
        verdict, bound = result.verdict, result.bound or 0
        plan = verdict.plan
        head = [result.path, plan.name, changed(plan), plan.policy, verdict.budget.name]
        yield _line([*head, *_sizes(verdict), bound, verdict.arena_bytes - bound])


def pack(report: Report) -> Iterator[str]:
    """One line a buffer; static buffers have neither live range nor offset."""
    yield _line(["path", "scenario", "params", "policy", *BUFFER])
    seen = set()
    for result in report.results:
        plan = result.verdict.plan
        head = (result.path, plan.name, changed(plan), plan.policy)
        if head in seen:  # on another budget
            continue
        seen.add(head)
        for name, versions, size, align, live, offset in plan.layout:
            yield _line([*head, name, versions, size, align, *(live or ()), offset])
        for s in plan.lowered.statics:
            yield _line([*head, s.name, s.versions, s.bytes, "", "", "", ""])


def sweep(table: SweepTable, rows: Iterable[SweepRow], tally: Tally) -> Iterator[str]:
    """One line a row, as the rows come."""
    stream = sweep_stream(table)
    yield stream.head
    yield from map(stream.line.text, rows)


def sweep_stream(table: SweepTable) -> Stream:
    """How a sweep is written: a line a row."""
    head = _line([*table.lead, *table.columns, *SIZES])
    return Stream(head, "", _sweep_line(table), lambda tally: "")


def _sweep_line(table: SweepTable) -> RowFormat:
    """How a sweep writes a row."""

    def text(row: SweepRow) -> str:
        sizes = _figures(row.figures, row.word) if row.figures else _nothing(row.word)
        return _line([*table.leading(row), *map(cell, row.values), *sizes])

    def parts(subject: SweepSubject) -> list[str | RowField]:
        lead = table.leading(SweepRow("", subject.scenario, subject.budget, (), "", None))
        cells = [RowField(name, param=True) for name in table.columns] + [RowField(name) for name in _CELLS]
        found: list[str | RowField] = [_line([*lead, ""])[:-1]] if lead else []
        for place in cells:
            found += (place, ",")
        return [*found[:-1], "\n"]

    return RowFormat(text, parts, lambda value: _line([show(value)])[:-1], "")


def pivot(table: SweepTable, rows: Iterable[SweepRow], tally: Tally, by: str) -> Iterator[str]:
    """A grid: one line for each combination of the other parameters, one column for each value of `by`."""
    headers, cells = grid(table, rows, by)
    yield _line(headers)
    for line in cells:
        yield _line(line)


def _sizes(verdict: Verdict) -> list[Any]:
    plan = verdict.plan
    sizes = [plan.no_reuse, plan.peak.bytes, plan.packing.arena, plan.used, verdict.budget.bytes]
    return [*sizes, verdict.verdict, *map(_known, (verdict.blocks_per_sm, verdict.confidence, verdict.limit))]


def _figures(figures: Figures, word: str) -> list[Any]:
    *sizes, blocks, limit, confidence = figures
    return [*sizes, word, *map(_known, (blocks, confidence, limit))]


def _nothing(word: str) -> list[Any]:
    return ["", "", "", "", "", word, "", "", ""]


def _known(value: int | str | None) -> int | str:
    return "" if value is None else value


def _line(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(_harmless, cells))
    return text.getvalue()


def _harmless(value: Any) -> Any:
    """A cell that no spreadsheet computes: a text that would begin a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return value
    text = one_line(value)
    if value[:1] in _FORMULA and value[1:] and not value[1:].isdecimal():
        return f"'{text}"
    return text
