"""The numbers of a baseline beside those of the scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from smemdsl.core.errors import Diagnostic
from smemdsl.output.formats.changes import details, shown
from smemdsl.output.formats.diagnostics import headline
from smemdsl.output.report.model import BaselineComparison, BaselineFigures
from smemdsl.review.changes import compare
from smemdsl.review.matching import match, match_budgets
from smemdsl.review.state import ScenarioState, Snapshot, without_promises


class Baseline(NamedTuple):
    """What scenarios are compared with."""

    name: str
    of: Mapping[str, BaselineComparison]
    """By path of the scenario."""
    gone: tuple[str, ...]
    """Names and paths of the scenarios that only the baseline has."""
    notes: tuple[str, ...] = ()


NONE = Baseline("", {}, ())


def beside(old: Snapshot, new: Snapshot, renamed: Mapping[str, str]) -> Baseline:
    """Each scenario of the new side beside what the old one has for it.

    With `fill` a scenario has a state for each budget; they are put together again.
    """
    diff = compare(old, new, renamed)
    olds, news = old.states, new.states
    if not (old.verified and new.verified):
        olds, news = (tuple(map(without_promises, side)) for side in (olds, news))
    changes: dict[str, list[str]] = {}
    for change in diff.changes:
        if change.old is not None and change.new is not None:
            changes.setdefault(change.new.path, []).extend(details(change))
    before: dict[str, dict[str, BaselineFigures]] = {}
    gone = []
    for one, other in match(olds, news, renamed):
        if one is None:
            continue
        if other is None:
            gone.append(f"{one.name} ({one.path})")
        else:
            before.setdefault(other.path, {}).update(_befores(one, other))
    of = {path: BaselineComparison(found, tuple(changes.get(path, ()))) for path, found in before.items()}
    told = (f"{_place(found)} {found.message}" for found in old.diagnostics)
    return Baseline(old.name, of, tuple(gone), (*diff.notes, *told))


def _place(found: Diagnostic) -> str:
    """Where the baseline itself is in error."""
    return f"in the baseline, {headline(found)}"


def _befores(old: ScenarioState, new: ScenarioState) -> Iterator[tuple[str, BaselineFigures]]:
    """What was, for each budget of the new state that the old one has, too."""
    for was, now in match_budgets(old.budgets, new.budgets):
        if was is not None and now is not None:
            yield now.name, BaselineFigures(old.used, old.arena, shown(was), was.blocks)
