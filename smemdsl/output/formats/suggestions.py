"""What would fit, in a handful of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from smemdsl.devices import BUDGET
from smemdsl.judging.result import Report
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.diagnostics import display_width

if TYPE_CHECKING:
    from smemdsl.judging.suggestions import Suggestion

MOST = {"occupancy": 1, "parameter": 6, "pair": 1, "config": 2, "policy": 2, "request": 1, "buffer": 3}
"""Lines of each kind; json has all of them."""


def blocks(report: Report) -> Iterator[tuple[str, list[str]]]:
    """For each result that has suggestions a heading and its lines."""
    for result in report.results:
        if result.suggestions is not None:
            yield _heading(result.verdict, result.suggestions), _lines(result.verdict, result.suggestions)


def _heading(verdict: Verdict, suggestions: Sequence[Suggestion]) -> str:
    name, budget = verdict.plan.name, verdict.budget
    if verdict.fits:
        if verdict.occupancy is None:
            return f"{name}: fits {budget.name}"
        more = (
            "what would let more blocks run:" if suggestions else "no fewer bytes would let more blocks run"
        )
        return f"{name}: fits {budget.name}; {more}"
    least = " with the least of `fill`" if verdict.plan.filled else ""
    over = f"{name}: {verdict.plan.launch - budget.bytes} B over {budget.name}{least}"
    if verdict.obstacle is not None and verdict.limit != BUDGET:
        over = f"{name}: {verdict.obstacle.text}"
    if any(suggestion.fits for suggestion in suggestions):
        return f"{over}; what would fit:"
    return f"{over}; nothing tried would fit" + (", nearest are:" if suggestions else "")


def _lines(verdict: Verdict, suggestions: Sequence[Suggestion]) -> list[str]:
    shown = _shown(suggestions)
    width = max((display_width(one.change) for one in shown), default=0)
    lines = [f"{one.change}{' ' * (width - display_width(one.change))}  {one.outcome}" for one in shown]
    if len(shown) < len(suggestions):
        lines.append(f"({len(suggestions) - len(shown)} more in --format json)")
    spec = verdict.plan.spec
    if not verdict.fits and spec.params and not spec.axes and not spec.configs:
        lines.append("(no parameter was tried: say in `sweep:` which values each may take)")
    return lines


def _shown(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """The first of each kind; what does not fit only where nothing does."""
    candidates = [one for one in suggestions if one.fits] or suggestions
    return [one for kind, most in MOST.items() for one in _of(kind, candidates)[:most]]


def _of(kind: str, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    return [one for one in suggestions if one.kind == kind]
