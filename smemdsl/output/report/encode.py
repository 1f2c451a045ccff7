"""A page's data as JSON, in a form that is small: most of a page are maps that nobody looks at."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from smemdsl.core.buffers import PlacedBuffer
from smemdsl.core.shown import visible
from smemdsl.output.report.model import BudgetOutcome, Case, Layout, ReportEntry, ReportPage

_EXACT = 2**53
"""From here on a JavaScript number is not every integer, and a text takes its place."""
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def encode(page: ReportPage) -> str:
    """The JSON text, in which no character means anything to HTML."""
    texts = _Table()
    value = {
        "layout": Layout._fields,
        "outcome": BudgetOutcome._fields,
        "entries": [_entry(entry, texts) for entry in page.entries],
        "unjudged": [one.problems for one in page.unjudged],
        "baseline": page.baseline,
        "texts": texts.items,
    }
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES)


class _Table:
    """Values by number, each once."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, item: Any) -> int:
        """The number of a value."""
        if item not in self._numbers:
            self._numbers[item] = len(self.items)
            self.items.append(item)
        return self._numbers[item]

    def numbers(self, items: Iterable[Any]) -> list[int]:
        """The numbers of several values."""
        return [self.number(item) for item in items]


def _entry(entry: ReportEntry, texts: _Table) -> dict[str, Any]:
    names, layouts = _Table(), _Table()
    cases = [_case(case, layouts, texts) for case in entry.cases]
    value = {
        "name": entry.name,
        "path": entry.path,
        "summary": entry.summary,
        "params": entry.params,
        "budgets": entry.budgets,
        "policies": entry.policies,
        "controls": [control._asdict() for control in entry.controls],
        "cut": entry.cut,
        "cases": cases,
        "base": entry.base,
        "problems": entry.problems,
        "layouts": [_layout(layout, names, texts) for layout in layouts.items],
        "names": names.items,
    }
    if entry.comparison is not None:
        value["before"] = [
            None if was is None else was._asdict()
            for was in (entry.comparison.before.get(name) for name in entry.budgets)
        ]
        value["changes"] = entry.comparison.changes
    return value


def _case(case: Case, layouts: _Table, texts: _Table) -> list[Any]:
    """The outcomes, or the word and the reason where there are none."""
    if not case.outcomes:
        return [case.word, case.problem]
    return [
        [
            layouts.number(outcome.layout),
            outcome.budget,
            outcome.word,
            outcome.blocks,
            texts.numbers(outcome.limiters),
            texts.numbers(outcome.warnings),
        ]
        for outcome in case.outcomes
    ]


def _layout(layout: Layout, names: _Table, texts: _Table) -> list[Any]:
    """The fields in order, names and texts by number."""
    return list(
        layout._replace(
            tiles=tuple(_tile(buffer, names) for buffer in layout.tiles),  # type: ignore[misc]
            statics=tuple((names.number(name), *rest) for name, *rest in layout.statics),  # type: ignore[misc]
            edges=tuple(round(edge, 4) for edge in layout.edges),
            doubts=texts.numbers(layout.doubts),  # type: ignore[arg-type]
        )
    )


def _tile(buffer: PlacedBuffer, names: _Table) -> tuple[int | None, ...]:
    """A buffer as the page's script has it: its live range as two numbers."""
    name, versions, size, align, live, offset = buffer
    return (names.number(name), versions, size, align, *(live or ()), offset)


def _plain(value: Any) -> Any:
    """The value with what JSON and JavaScript can hold."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, int) and not -_EXACT < value < _EXACT:
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
