"""What became of each scenario between two sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdsl.core.errors import Diagnostic
from smemdsl.review.growth import Growth
from smemdsl.review.matching import BudgetPair, ScenarioPair, match, match_budgets
from smemdsl.review.state import ScenarioState, Snapshot, comparable, without_promises

NEWLY_OVER, NEWLY_FITS, BROKE, GREW = "newly over", "newly fits", "expectation broke", "grew too much"


class Change(NamedTuple):
    """A scenario that changed."""

    old: ScenarioState | None
    """None: it was added."""
    new: ScenarioState | None
    """None: it was removed."""
    budgets: tuple[BudgetPair, ...]
    broken: tuple[Diagnostic, ...]
    """Expectations and constraints that held, or were not there, and do not hold now."""
    too_much: tuple[Growth, ...]
    """Limits on growth that it passes."""

    @property
    def state(self) -> ScenarioState:
        """The newer state that there is."""
        state = self.new or self.old
        assert state is not None
        return state

    @property
    def marks(self) -> tuple[str, ...]:
        """What is to be said of it at once: NEWLY_OVER, NEWLY_FITS, BROKE, GREW."""
        kept = [(b.old, b.new) for b in self.budgets if b.old is not None and b.new is not None]
        found = {
            NEWLY_OVER: any(old.fits and not new.fits for old, new in kept),
            NEWLY_FITS: any(new.fits and not old.fits for old, new in kept),
            BROKE: bool(self.broken),
            GREW: bool(self.too_much),
        }
        return tuple(mark for mark, holds in found.items() if holds)

    @property
    def fails(self) -> bool:
        """Whether a review must not pass it over."""
        return any(mark != NEWLY_FITS for mark in self.marks)

    @property
    def worse(self) -> bool:
        """Whether anything is worse than it was: a verdict, a size, the blocks per SM, a largest value."""
        old, new = self.old, self.new
        if new is None:
            return False
        if old is None:
            return any(not budget.passes for budget in new.budgets)
        return self.fails or new.used > old.used or any(map(_worse, self.budgets))


class Diff(NamedTuple):
    """Everything that two sides differ in."""

    old: str
    new: str
    changes: tuple[Change, ...]
    unchanged: int
    """Scenarios of which nothing changed that counts."""
    diagnostics: tuple[Diagnostic, ...]
    invalid: int
    """Inputs that could not be judged."""
    notes: tuple[str, ...] = ()
    """What it cannot say, and why."""

    def count(self, mark: str) -> int:
        """Changes with a mark."""
        return sum(mark in change.marks for change in self.changes)


def compare(
    old: Snapshot,
    new: Snapshot,
    renamed: Mapping[str, str] | None = None,
    limits: Sequence[Growth] = (),
    *,
    together: bool = False,
) -> Diff:
    """The diff of two sides; `together`: each is one file, held against the other whatever it is called."""
    both = old.verified and new.verified
    olds, news = (side.states if both else tuple(map(without_promises, side.states)) for side in (old, new))
    pairs = match(olds, news, renamed or {}, together=together)
    if old.verified != new.verified:
        pairs = list(map(_in_common, pairs))
    changes = tuple(_change(pair, limits) for pair in pairs if _differs(pair))
    return Diff(
        old.name,
        new.name,
        changes,
        len(pairs) - len(changes),
        (*old.diagnostics, *new.diagnostics),
        old.invalid + new.invalid,
        tuple(_notes(old, new, changes)),
    )


def _in_common(pair: ScenarioPair) -> ScenarioPair:
    """The pair on the budgets that both have: `check` judges further devices, `pack` does not."""
    old, new = pair
    if old is None or new is None:
        return pair
    names = {budget.name for budget in old.budgets} & {budget.name for budget in new.budgets}
    if not names:
        return pair
    kept = (tuple(budget for budget in state.budgets if budget.name in names) for state in (old, new))
    return ScenarioPair(old._replace(budgets=next(kept)), new._replace(budgets=next(kept)))


def _notes(old: Snapshot, new: Snapshot, changes: Sequence[Change]) -> Iterator[str]:
    """What is to be said of the sides, and what the diff cannot say, and why."""
    yield from (*old.notes, *new.notes)
    for side, state_of in ((old, "old"), (new, "new")):
        states = [getattr(change, state_of) for change in changes if change.old and change.new]
        if any(state.buffers is None for state in states):
            yield f"{side.name} lists no buffers: a result of `smemdsl pack --format json` does"
    if old.verified != new.verified:
        side = new if old.verified else old
        yield f"expectations are not compared, since {side.name} was not held to them"


def worse_only(diff: Diff) -> Diff:
    """The changes for the worse alone; all others count as unchanged."""
    worse = tuple(change for change in diff.changes if change.worse)
    better = sum(change.new is not None for change in diff.changes) - len(worse)
    return diff._replace(changes=worse, unchanged=diff.unchanged + better)


def _differs(pair: ScenarioPair) -> bool:
    """Whether memory, a verdict, the blocks per SM, a largest value or a promise changed."""
    old, new = pair
    if old is None or new is None:
        return True
    return (
        (old.arena, old.static, old.launch) != (new.arena, new.static, new.launch)
        or _sizes(old, new)
        or any(map(_budget_differs, match_budgets(old.budgets, new.budgets)))
        or bool(_broken(old, new))
    )


def _sizes(old: ScenarioState, new: ScenarioState) -> bool:
    found = comparable(old, new)
    if found is None:
        return False
    one, other = ({(b.name, b.versions, b.bytes) for b in buffers} for buffers in found)
    return one != other


def _budget_differs(pair: BudgetPair) -> bool:
    old, new = pair
    if old is None or new is None:
        return True
    same = (old.name, old.bytes, old.verdict, old.passes, old.blocks)
    if same != (new.name, new.bytes, new.verdict, new.passes, new.blocks):
        return True
    return any(old.largest[name] != new.largest[name] for name in old.largest.keys() & new.largest.keys())


def _change(pair: ScenarioPair, limits: Sequence[Growth]) -> Change:
    old, new = pair
    budgets = match_budgets(old.budgets if old else (), new.budgets if new else ())
    passed: tuple[Growth, ...] = ()
    if old is not None and new is not None:
        before, after = old.used, new.used
        passed = tuple(limit for limit in limits if not limit.allows(before, after))
    return Change(
        old,
        new,
        tuple(budgets),
        tuple(_broken(old, new)) if new is not None else (),
        passed,
    )


def _broken(old: ScenarioState | None, new: ScenarioState) -> list[Diagnostic]:
    """What fails now: of each code as many as there are more than before, since lines and numbers move."""
    before = [] if old is None else [failure.code for failure in old.failures]
    broken = []
    for failure in new.failures:
        if failure.code in before:
            before.remove(failure.code)
        else:
            broken.append(failure)
    return broken


def _worse(pair: BudgetPair) -> bool:
    old, new = pair
    if old is None or new is None:
        return new is not None and not new.passes
    fewer = old.blocks is not None and new.blocks is not None and new.blocks < old.blocks
    smaller = any(
        (new.largest[name] or 0) < (value or 0)
        for name, value in old.largest.items()
        if name in new.largest and value is not None
    )
    return fewer or smaller or (old.passes and not new.passes) or (old.fits and not new.fits)
