"""A diff as a table and a folded list, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.output.formats.changes import details, growth, verdicts
from smemdsl.review.changes import Change, Diff

HEADERS = ["scenario", "verdict", "arena B", "growth"]
LEFT = 2
"""Columns of text."""


def rows(diff: Diff) -> list[list[str]]:
    """One row a change."""
    return [[_name(change), ", ".join(verdicts(change)), *_arena(change)] for change in diff.changes]


def explained(diff: Diff) -> Iterator[tuple[str, list[str]]]:
    """Each change that something explains, with what does."""
    for change in diff.changes:
        lines = list(details(change))
        if lines:
            yield change.state.name, lines


def _name(change: Change) -> str:
    if change.old is None or change.new is None:
        return f"{change.state.name} ({'added' if change.old is None else 'removed'})"
    return change.state.name


def _arena(change: Change) -> list[str]:
    old, new = change.old, change.new
    if old is None or new is None:
        return [str(change.state.arena), ""]
    if old.arena == new.arena:
        return [str(new.arena), ""]
    return [f"{old.arena} -> {new.arena}", growth(old.arena, new.arena)]
