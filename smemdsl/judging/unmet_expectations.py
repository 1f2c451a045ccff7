"""Expectations that do not hold: what was expected, what came out, and why."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.devices import BUDGET
from smemdsl.judging.judge import judge
from smemdsl.judging.plan import ArenaPlan, make_plan
from smemdsl.judging.verdict import Verdict
from smemdsl.judging.why import why_apart, why_blocks, why_largest, why_used, why_versions
from smemdsl.packing.layout import overlaps
from smemdsl.scenario.binding import number
from smemdsl.scenario.spec import RELATIONS, Axis, BudgetSpec, ExpectedNumber, ExpectSpec, Expr

WITHOUT_AXIS = range(1, 65)
"""Values tried for an expected largest value whose parameter has no axis in the file."""
MAX_TRIES = 10_000
"""Values tried at most: each takes about a tenth of a millisecond."""


class UnmetExpectation(NamedTuple):
    """One expectation that does not hold."""

    fault: Fault
    comparison: ExpectedNumber | None = None
    """The number that was expected; None where no number was."""
    got: int | None = None
    """The number that came out; None where there is none."""


def misses(verdict: Verdict, expect: ExpectSpec) -> Iterator[UnmetExpectation]:
    """The misses of one verdict, in the order in which a file would list them.

    Raises:
        FaultError: an expectation has no value.
    """
    plan = verdict.plan
    if expect.fits is not None and expect.fits != verdict.fits:
        yield UnmetExpectation(_missed_fit(verdict, expect))
    for comparison in expect.arena:
        code = f"expect-{comparison.where[-1]}".replace("_", "-")
        yield from _compare(
            plan, comparison, _Number(code, "arena", verdict.arena_bytes, " B"), lambda: why_used(verdict)
        )
    for name, comparison in expect.versions:
        copies = _Number("expect-versions", f"versions of {name}", _versions(plan, name))
        yield from _compare(plan, comparison, copies, partial(why_versions, plan, name))
    for names, where in expect.share:
        yield from (
            UnmetExpectation(Fault(where, "expect-share", text, why=why)) for text, why in _apart(plan, names)
        )
    for name, comparison in expect.most:
        yield from _missed_largest(_Search(plan, verdict.asked, name), comparison)
    if expect.blocks_per_sm is not None:
        what = f"blocks per SM on {verdict.budget.name}"
        blocks = _Number("expect-blocks-per-sm", what, verdict.blocks_per_sm)
        yield from _compare(plan, expect.blocks_per_sm, blocks, lambda: why_blocks(verdict))


class _Number(NamedTuple):
    """What is compared: its code and name in messages, and what came out."""

    code: str
    what: str
    got: int | None
    unit: str = ""


def _missed_fit(verdict: Verdict, expect: ExpectSpec) -> Fault:
    asked, limit = verdict.plan.launch, verdict.budget
    wanted, got = ("to fit", "over") if expect.fits else ("not to fit", "below")
    message = f"expected {wanted} {limit.name}, got {asked} of {limit.bytes} B, "
    if verdict.obstacle is not None and verdict.limit != BUDGET:
        message = f"expected to fit {limit.name}, got {verdict.obstacle.text}"
        return Fault((*expect.where, "fits"), "expect-fits", message)
    room = abs(limit.bytes - asked)
    message += f"{room} B {got}" if room else "exactly as much as there is"
    return Fault((*expect.where, "fits"), "expect-fits", message, why=why_used(verdict))


def _compare(
    plan: ArenaPlan, comparison: ExpectedNumber, subject: _Number, why: Callable[[], str]
) -> Iterator[UnmetExpectation]:
    code, what, got, unit = subject
    wanted = number(comparison.number, plan.env)
    if got is not None and RELATIONS[comparison.relation](got, wanted):
        return
    relation = "" if comparison.relation == "==" else f"{comparison.relation} "
    known = "none" if got is None else f"{got}{unit}"
    message = f"expected {what} to be {relation}{wanted}{unit}, got {known}"
    yield UnmetExpectation(Fault(comparison.where, code, message, why=why()), comparison, got)


def _versions(plan: ArenaPlan, name: str) -> int | None:
    """Copies of a buffer, static ones too; None where it is not there (`when`)."""
    inside = {buffer.name: buffer.versions for buffer in plan.layout}
    return inside.get(name) or next((s.versions for s in plan.lowered.statics if s.name == name), None)


def _apart(plan: ArenaPlan, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Message and why of each two that do not overlap in storage."""
    placed = {
        b.name: (b, offset) for b, offset in zip(plan.lowered.buffers, plan.packing.offsets, strict=True)
    }
    for one, other in combinations(names, 2):
        expected = f"expected {one} and {other} to share storage"
        if one not in placed or other not in placed:
            gone = other if one in placed else one
            yield f"{expected}, but {gone} is not in the arena", ""
        elif not overlaps(*placed[one], *placed[other]):
            got = ", ".join(
                f"{name} at {at}..{at + b.bytes}" for name in (one, other) for b, at in [placed[name]]
            )
            yield f"{expected}, got {got}", why_apart(plan, placed[one][0], placed[other][0])


class _Search(NamedTuple):
    """The largest value of a parameter that fits is looked for, the others as they stand."""

    plan: ArenaPlan
    budget: BudgetSpec
    name: str

    def verdict(self, value: int) -> Verdict | None:
        """The verdict with that value; None where the file then has no meaning."""
        try:
            given = {**self.plan.given, self.name: value}
            return judge(make_plan(self.plan.spec, given, self.plan.options), self.budget)
        except FaultError:
            return None

    def largest(self, where: DocPath) -> int | None:
        """The largest value that fits; None where none does."""
        axes = (*self.plan.spec.axes, *self.plan.spec.fill)
        axis = next((axis for axis in axes if axis.name == self.name), Axis("", WITHOUT_AXIS))
        if len(axis.values) > MAX_TRIES:
            count = len(axis.values)
            message = f"the axis of {self.name} has {count} values; no more than {MAX_TRIES} are tried"
            raise FaultError([Fault(where, "too-many-values", message)])
        values = {number(v, self.plan.env) for v in axis.values if isinstance(v, (int, Expr))}
        for value in sorted(values, reverse=True):
            verdict = self.verdict(value)
            if verdict is not None and verdict.fits and not verdict.plan.violated:
                return value
        return None


def _missed_largest(search: _Search, comparison: ExpectedNumber) -> Iterator[UnmetExpectation]:
    got = search.largest(comparison.where)
    name, plan = search.name, search.plan
    limit = judge(plan, search.budget).budget.name
    wanted = number(comparison.number, plan.env)
    subject = _Number("expect-max", f"largest {name} that fits {limit}", got)
    yield from _compare(plan, comparison, subject, lambda: why_largest(name, wanted, got, search.verdict))


def largest(plan: ArenaPlan, budget: BudgetSpec, name: str, where: DocPath = ()) -> int | None:
    """The largest value of a parameter that fits, the others as they stand; None where no value does.

    The values tried are those of the file's axis, else 1 to 64. A value with which the file has no meaning
    does not fit.

    Raises:
        FaultError: the axis has more than `MAX_TRIES` values, or one that has no value.
    """
    return _Search(plan, budget, name).largest(where)
