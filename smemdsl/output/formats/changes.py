"""A diff in words: one line a change, lines below it that explain it, one line for the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.core.buffers import Bytes
from smemdsl.output.formats.tables import shown_verdict
from smemdsl.review.changes import BROKE, GREW, NEWLY_FITS, NEWLY_OVER, Change, Diff
from smemdsl.review.matching import BudgetPair
from smemdsl.review.reasons import ChangeReason, reasons
from smemdsl.review.state import BudgetState, ScenarioState


def line(change: Change) -> str:
    """`flash_fwd  arena 196608 -> 212992 B (+16384, +8.3 %)  sm_90 2 -> 1 blocks/SM  OK`."""
    parts = [change.state.name]
    if change.old is None or change.new is None:
        parts.append("added" if change.old is None else "removed")
    return "  ".join([*parts, *sizes(change), *verdicts(change)])


def sizes(change: Change) -> list[str]:
    """What is said of bytes: the arena always, and what is used where static memory alone moved."""
    old, new = change.old, change.new
    if old is None or new is None:
        return [f"arena {change.state.arena} B"]
    parts = [moved("arena", old.arena, new.arena)]
    if old.arena == new.arena and old.used != new.used:
        parts.append(moved("used", old.used, new.used))
    return parts


def moved(what: str, old: Bytes, new: Bytes) -> str:
    """`arena 196608 -> 212992 B (+16384, +8.3 %)`; the size alone where it did not move."""
    if old == new:
        return f"{what} {new} B"
    return f"{what} {old} -> {new} B ({growth(old, new)})"


def growth(old: Bytes, new: Bytes) -> str:
    """`+16384, +8.3 %`; nothing can be said in percent of 0."""
    return f"{new - old:+d}, {percent(old, new)}" if old else f"{new - old:+d}"


def percent(old: Bytes, new: Bytes) -> str:
    """The growth in percent, `+8.3 %`; what rounds to nothing is `<0.1 %`."""
    sign = "+" if new > old else "-"
    tenths = (abs(new - old) * 2000 + old) // (2 * old)
    return f"{sign}{tenths // 10}.{tenths % 10} %" if tenths else f"{sign}<0.1 %"


def verdicts(change: Change) -> list[str]:
    """Blocks and verdict of the budget that moved; where several did, the worst verdict alone.

    Where none moved, those of all budgets, briefly.
    """
    if change.old is None or change.new is None:
        found = [budget for pair in change.budgets for budget in pair if budget is not None]
        if len(found) > 1:
            return _brief(found)
        return [f"{budget.name}{_blocks(budget, budget)}  {shown(budget)}" for budget in found]
    moving = [pair for pair in change.budgets if _moved(pair)]
    if len(moving) > 1:
        return [_words(max(moving, key=_badness))]
    if not moving and len({_words(pair) for pair in change.budgets}) == 1 < len(change.budgets):
        return [f"{', '.join(pair.name for pair in change.budgets)}  {_words(change.budgets[0])}"]
    return [_verdict(pair) for pair in moving or change.budgets]


def _brief(budgets: Sequence[BudgetState]) -> list[str]:
    """`sm_80, sm_90  OK`, or `OK on sm_80, OVER on sm_90`."""
    words = dict.fromkeys(shown(budget) for budget in budgets)
    named = {said: ", ".join(b.name for b in budgets if shown(b) == said) for said in words}
    if len(words) == 1:
        return [f"{names}  {said}" for said, names in named.items()]
    return [", ".join(f"{said} on {names}" for said, names in named.items())]


def _badness(pair: BudgetPair) -> tuple[int, int]:
    """Order of what a headline shows of several budgets: the worst verdict, and one that got worse first."""
    order = ["", "OK", "OVER (expected)", "OVER", "FAIL"]
    return order.index(word(pair.new)), -order.index(word(pair.old))


def budget_lines(change: Change) -> list[str]:
    """A line for each budget that moved, where several did: the headline has the worst alone."""
    if change.old is None or change.new is None:
        return []
    moving = [pair for pair in change.budgets if _moved(pair)]
    return [_verdict(pair) for pair in moving] if len(moving) > 1 else []


def _moved(pair: BudgetPair) -> bool:
    old, new = pair
    if old is None or new is None:
        return True
    return (old.name, old.bytes, old.blocks, shown(old)) != (new.name, new.bytes, new.blocks, shown(new))


def _verdict(pair: BudgetPair) -> str:
    old, new = pair
    size = ""
    if old is not None and new is not None and old.bytes != new.bytes:
        size = f" ({old.bytes} -> {new.bytes} B)"
    return f"{pair.name}{size}{_blocks(old, new)}  {_words(pair)}"


def _blocks(old: BudgetState | None, new: BudgetState | None) -> str:
    """` 2 -> 1 blocks/SM`; nothing where they are not known."""
    counts = [budget.blocks for budget in (old, new) if budget is not None]
    if all(count is None for count in counts):
        return ""
    noun = "block" if set(counts) == {1} else "blocks"
    shown = dict.fromkeys("unknown" if count is None else str(count) for count in counts)
    return f" {' -> '.join(shown)} {noun}/SM"


def _words(pair: BudgetPair) -> str:
    """`OK`, `OK -> OVER`, `judged now, OK`."""
    old, new = pair
    if old is None:
        return f"new, {shown(new)}"
    if new is None:
        return f"no longer judged, was {shown(old)}"
    return " -> ".join(dict.fromkeys([shown(old), shown(new)]))


def shown(budget: BudgetState | None) -> str:
    """The verdict as tables show it: `OK?`, `OVER (threads)`, `OVER (expected)`."""
    if budget is None:
        return ""
    return shown_verdict(budget.verdict, budget.confidence, budget.limit, expected=_is_expected(budget))


def word(budget: BudgetState | None) -> str:
    """The verdict, and whether an OVER is expected."""
    if budget is None:
        return ""
    return "OVER (expected)" if _is_expected(budget) else budget.verdict


def _is_expected(budget: BudgetState) -> bool:
    return budget.verdict == "OVER" and budget.passes


def details(change: Change) -> Iterator[str]:
    """The budgets where there are several, what explains the change, then what makes it fail."""
    yield from budget_lines(change)
    old, new = change.old, change.new
    if old is not None and new is not None and old.arena != new.arena and old.static != new.static:
        yield moved("with static memory used", old.used, new.used)
    for reason in reasons(change):
        yield reason_line(reason)
    yield from alarms(change)


def reason_line(reason: ChangeReason) -> str:
    """`K_shared 2 -> 3 versions +16384`."""
    delta = f" {reason.delta:+d}" if reason.delta else ""
    return f"{reason.subject} {reason.text}{delta}"


def alarms(change: Change) -> Iterator[str]:
    """What is newly over or fits, which expectation broke, which limit on growth is passed."""
    old, new = change.old, change.new
    for pair in change.budgets:
        if pair.old is None or pair.new is None or new is None or pair.old.fits == pair.new.fits:
            continue
        room = pair.new.bytes - new.launch
        said = f"{room} B left" if room >= 0 else f"{-room} B too much"
        mark = NEWLY_FITS if pair.new.fits else NEWLY_OVER
        yield f"{mark}: {pair.new.name}, {new.launch} of {pair.new.bytes} B, {said}"
    for failure in change.broken:
        place = f" ({failure.path}:{failure.line})" if failure.line else ""
        kind = "constraint broke" if failure.code == "constraint" else BROKE
        yield f"{kind}: {failure.message}{place}"
    for limit in change.too_much:
        assert old is not None
        assert new is not None
        yield f"{GREW}: {moved('used', old.used, new.used)}, where {limit.text} is allowed"


def summary(diff: Diff) -> str:
    """`2 changed, 1 added, 9 unchanged, 1 invalid; 1 newly over`; one line where nothing changed.

    That nothing changed is said only where everything could be judged.
    """
    if not diff.changes and not diff.invalid:
        return f"no change: {_count(diff.unchanged)}"
    if not diff.changes and not diff.unchanged:
        return f"nothing was compared: {diff.invalid} invalid"
    kinds = {
        "changed": sum(c.old is not None and c.new is not None for c in diff.changes),
        "added": sum(c.old is None for c in diff.changes),
        "removed": sum(c.new is None for c in diff.changes),
    }
    parts = [f"{count} {kind}" for kind, count in kinds.items() if count] or ["0 changed"]
    parts.append(f"{diff.unchanged} unchanged")
    if diff.invalid:
        parts.append(f"{diff.invalid} invalid")
    marks = [f"{diff.count(mark)} {words}" for mark, words in _COUNTED.items() if diff.count(mark)]
    return ", ".join(parts) + ("; " if marks else "") + ", ".join(marks)


_COUNTED = {
    NEWLY_OVER: "newly over",
    BROKE: "with a broken expectation",
    GREW: "beyond --max-growth",
    NEWLY_FITS: "newly fitting",
}


def _count(scenarios: int) -> str:
    return "1 scenario" if scenarios == 1 else f"{scenarios} scenarios"


def biggest_buffer(change: Change, state: ScenarioState) -> str | None:
    """The buffer that explains most of a change, if the state still has it: where an annotation belongs."""
    there = {buffer.name for buffer in state.buffers or ()}
    return next((r.subject for r in reasons(change) if r.is_buffer and r.subject in there), None)
