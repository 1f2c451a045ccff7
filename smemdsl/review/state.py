"""What a diff compares: the numbers of one scenario at one time, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdsl.api import Scenario
from smemdsl.core.buffers import Bytes, PlacedBuffer
from smemdsl.core.confidence import EXACT
from smemdsl.core.errors import Diagnostic


class BudgetState(NamedTuple):
    """The verdict on one budget."""

    name: str
    bytes: Bytes
    verdict: str
    """OK, OVER or FAIL."""
    fits: bool
    passes: bool
    """Nothing is wrong: it fits, or is expected not to, and every promise holds."""
    blocks: int | None
    largest: Mapping[str, int | None]
    """The largest value that fits of each swept parameter, None where no value does; empty where unknown."""
    confidence: str = EXACT
    limit: str | None = None
    """What is in the way, as `Verdict.limit`; None where that is not known, too."""


class ScenarioState(NamedTuple):
    """One scenario."""

    path: str
    """Its file, as messages show it."""
    key: str
    """The file below the folder that was given: what two folders have in common."""
    name: str
    params: Mapping[str, Any]
    policy: str
    arena: Bytes
    static: Bytes
    used: Bytes
    """Arena and static bytes; with `request`, still the arena."""
    launch: Bytes
    """What is held against the budget."""
    buffers: tuple[PlacedBuffer, ...] | None
    """None where the result does not list them."""
    budgets: tuple[BudgetState, ...]
    failures: tuple[Diagnostic, ...] = ()
    """Constraints and expectations that do not hold."""
    scenario: Scenario | None = None
    """Where positions can be looked up; None for a stored result."""


class Snapshot(NamedTuple):
    """All scenarios of one side."""

    name: str
    """What was given: a path, or a revision."""
    states: tuple[ScenarioState, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    invalid: int = 0
    """Inputs that could not be judged."""
    verified: bool = True
    """Whether expectations were looked at: not by `pack`, nor under an override."""
    notes: tuple[str, ...] = ()
    """What is to be said of the side itself."""


def comparable(
    old: ScenarioState, new: ScenarioState
) -> tuple[tuple[PlacedBuffer, ...], tuple[PlacedBuffer, ...]] | None:
    """The buffers of both that can be held against each other; None where one does not list its own.

    A file may say how much static memory there is and not what lies in it: then the sizes alone compare.
    """
    if old.buffers is None or new.buffers is None:
        return None
    if any(state.static and all(b.offset is not None for b in state.buffers or ()) for state in (old, new)):
        inside = [tuple(b for b in state.buffers or () if b.offset is not None) for state in (old, new)]
        return inside[0], inside[1]
    return old.buffers, new.buffers


def without_promises(state: ScenarioState) -> ScenarioState:
    """The state as `pack` would have it: constraints count, what the file expects does not."""
    failures = tuple(failure for failure in state.failures if failure.code == "constraint")
    verdicts = [("FAIL" if failures else "OK" if budget.fits else "OVER", budget) for budget in state.budgets]
    budgets = tuple(budget._replace(verdict=word, passes=word == "OK") for word, budget in verdicts)
    return state._replace(failures=failures, budgets=budgets)
