"""A diff as plain values: every number that is compared, old and new."""

from __future__ import annotations

from typing import Any

from smemdsl.review.changes import Change, Diff
from smemdsl.review.matching import BudgetPair
from smemdsl.review.reasons import reasons
from smemdsl.review.state import BudgetState

SIZES = {"arena_bytes": "arena", "static_bytes": "static", "used_bytes": "used"}


def changes(diff: Diff) -> dict[str, Any]:
    """`changes` and `summary`."""
    kinds = [_kind(change) for change in diff.changes]
    marks = ("newly over", "newly fits", "expectation broke", "grew too much")
    return {
        "changes": [_change(change) for change in diff.changes],
        "summary": {
            **{kind: kinds.count(kind) for kind in ("changed", "added", "removed")},
            "unchanged": diff.unchanged,
            **{mark.replace(" ", "_"): diff.count(mark) for mark in marks},
            "invalid": diff.invalid,
        },
    }


def _kind(change: Change) -> str:
    return "added" if change.old is None else "removed" if change.new is None else "changed"


def _change(change: Change) -> dict[str, Any]:
    old, new = change.old, change.new
    value: dict[str, Any] = {
        "scenario": change.state.name,
        "kind": _kind(change),
        "path": {"old": old and old.path, "new": new and new.path},
    }
    for key, field in SIZES.items():
        value[key] = {"old": old and getattr(old, field), "new": new and getattr(new, field)}
    return value | {
        "budgets": [_budget(pair) for pair in change.budgets],
        "reasons": [
            {"subject": r.subject, "text": r.text, "delta_bytes": r.delta, "buffer": r.is_buffer}
            for r in reasons(change)
        ],
        "marks": list(change.marks),
        "broken": [{"code": d.code, "line": d.line, "message": d.message} for d in change.broken],
        "fails": change.fails,
        "worse": change.worse,
    }


def _budget(pair: BudgetPair) -> dict[str, Any]:
    return {"name": pair.name, "old": _side(pair.old), "new": _side(pair.new)}


def _side(budget: BudgetState | None) -> dict[str, Any] | None:
    if budget is None:
        return None
    return {
        "name": budget.name,
        "bytes": budget.bytes,
        "verdict": budget.verdict,
        "expected": budget.passes and budget.verdict == "OVER",
        "limit": budget.limit,
        "blocks_per_sm": budget.blocks,
        "confidence": budget.confidence,
        "largest": dict(budget.largest),
    }
