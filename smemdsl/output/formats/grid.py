"""The rows of a sweep as a grid over one of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from smemdsl.core.confidence import SIGNS
from smemdsl.core.units import kib
from smemdsl.devices import CLUSTER
from smemdsl.judging.result import INVALID
from smemdsl.judging.verdict import OVER
from smemdsl.output.formats.color import bad, good
from smemdsl.output.formats.tables import cell, shown_verdict
from smemdsl.sweeping import SweepRow, SweepTable

NOTHING = "-"
"""Stands where no value fits."""


def grid(table: SweepTable, rows: Iterable[SweepRow], by: str) -> tuple[list[str], list[list[str]]]:
    """Headers and lines: the other parameters, then a cell for each value of `by`.

    A cell holds the largest feasible value where the sweep looks for one, else what is used and the verdict.
    """
    shown = [name for name in table.columns if name not in (by, table.largest)]
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    values: dict[str, None] = {}
    for row in rows:
        by_name = dict(zip(table.columns, map(cell, row.values), strict=True))
        key = (*table.leading(row), *(by_name[name] for name in shown))
        values[by_name[by]] = None
        lines.setdefault(key, {})[by_name[by]] = (
            by_name[table.largest] or NOTHING if table.largest else _cell(row)
        )
    headers = [*table.lead, *shown, *(f"{by}={value}" for value in values)]
    return headers, [[*key, *(cells.get(value, "") for value in values)] for key, cells in lines.items()]


def _cell(row: SweepRow) -> str:
    if row.figures is None:
        return row.word
    figures = row.figures
    sign = "" if figures.limit == CLUSTER else SIGNS[figures.confidence]
    return f"{sign}{kib(figures.used)} {shown_verdict(row.word, figures.confidence, figures.limit)}"


def painter(headers: Sequence[str], by: str) -> Callable[[int, str], str]:
    """Colours for the cells below these headers: of what fits, and of what does not."""
    first = next(i for i, header in enumerate(headers) if header.startswith(f"{by}="))

    def paint(column: int, text: str) -> str:
        if column < first or not text:
            return text
        return bad(text) if text in (NOTHING, INVALID) or f" {OVER}" in text else good(text)

    return paint
