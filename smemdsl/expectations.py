"""What a scenario promises of itself, held against its verdicts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import combinations

from smemdsl import devices
from smemdsl.binding import number
from smemdsl.errors import DocPath, Fault, FaultError, UnknownNameError
from smemdsl.judging import FAIL, OVER, Verdict, judge
from smemdsl.packing.layout import overlaps
from smemdsl.planning import Plan, make_plan
from smemdsl.spec import Axis, BudgetSpec, Comparison, ExpectSpec, ScenarioSpec

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
WITHOUT_AXIS = range(1, 65)
"""Values tried for an expected largest value whose parameter has no axis in the file."""


def own_verdicts(spec: ScenarioSpec, plan: Plan) -> list[Verdict]:
    """The file's verdicts on its budgets and on the devices it expects something of, held to what it expects.

    Raises:
        FaultError: a budget or a device cannot be resolved, or an expectation has no value.
    """
    expected = {_canonical(name, expect): (name, expect) for name, expect in spec.device_expect}
    held = []
    for budget in spec.budgets:
        verdict = judge(spec, plan, budget)
        _, of_device = expected.pop(verdict.budget.name, ("", None))
        held.append(_hold(spec, verdict, budget, _merged(spec.expect, of_device)))
    for name, expect in expected.values():
        budget = BudgetSpec(name, expect.where)
        held.append(_hold(spec, judge(spec, plan, budget), budget, expect))
    return held


def _canonical(name: str, expect: ExpectSpec) -> str:
    try:
        return devices.resolve(name).name
    except UnknownNameError as error:
        raise FaultError(
            [Fault(expect.where, "unknown-device", error.message, error.hint, on_key=True)]
        ) from None


def _merged(general: ExpectSpec | None, of_device: ExpectSpec | None) -> ExpectSpec | None:
    """The expectations of a device, and of all budgets where the device's do not say otherwise."""
    if general is None or of_device is None:
        return of_device or general
    return ExpectSpec(
        of_device.where,
        general.fits if of_device.fits is None else of_device.fits,
        of_device.arena or general.arena,
        of_device.versions or general.versions,
        of_device.share or general.share,
        of_device.most or general.most,
        of_device.blocks_per_sm or general.blocks_per_sm,
    )


def _hold(spec: ScenarioSpec, verdict: Verdict, budget: BudgetSpec, expect: ExpectSpec | None) -> Verdict:
    if expect is None:
        return verdict
    misses = tuple(_misses(spec, verdict, budget, expect))
    return verdict._replace(
        failures=(*verdict.failures, *misses),
        verdict=FAIL if misses else verdict.verdict,
        over_expected=verdict.verdict == OVER and expect.fits is False,
    )


def _misses(spec: ScenarioSpec, verdict: Verdict, budget: BudgetSpec, expect: ExpectSpec) -> Iterator[Fault]:
    if expect.fits is not None and expect.fits != verdict.fits:
        yield _missed_fit(verdict, expect)
    for comparison in expect.arena:
        yield from _compare(
            verdict, comparison, "arena", verdict.arena_bytes, f" B: {peak_makers(verdict.plan)}"
        )
    for name, comparison in expect.versions:
        yield from _compare(verdict, comparison, f"versions of {name}", _versions(verdict.plan, name))
    for names, where in expect.share:
        yield from _missed_shares(verdict.plan, names, where)
    for name, comparison in expect.most:
        most = largest(spec, verdict.plan, budget, name)
        yield from _compare(verdict, comparison, f"largest {name} that fits {verdict.budget.name}", most)
    if expect.blocks_per_sm is not None:
        label = f"blocks per SM on {verdict.budget.name}"
        yield from _compare(verdict, expect.blocks_per_sm, label, verdict.blocks_per_sm)


def _missed_fit(verdict: Verdict, expect: ExpectSpec) -> Fault:
    used, limit = verdict.used_bytes, verdict.budget
    wanted, got = ("to fit", "over") if expect.fits else ("not to fit", "below")
    message = (
        f"expected {wanted} {limit.name}, got {used} of {limit.bytes} B, {abs(limit.bytes - used)} B {got}"
    )
    return Fault((*expect.where, "fits"), "expect-fits", f"{message}: {peak_makers(verdict.plan)}")


def _compare(
    verdict: Verdict, comparison: Comparison, what: str, got: int | None, unit: str = ""
) -> Iterator[Fault]:
    wanted = number(comparison.number, verdict.plan.env)
    if got is not None and RELATIONS[comparison.relation](got, wanted):
        return
    relation = "" if comparison.relation == "==" else f"{comparison.relation} "
    code = f"expect-{next(str(step) for step in reversed(comparison.where) if step in _CODES)}".replace(
        "_", "-"
    )
    known = "none" if got is None else f"{got}{unit}"
    yield Fault(comparison.where, code, f"expected {what} {relation}{wanted}, got {known}")


_CODES = ("arena", "arena_max", "arena_min", "versions", "max", "blocks_per_sm")


def peak_makers(plan: Plan) -> str:
    """The buffers that make the peak, in words."""
    names = [plan.lowered.buffers[i].name for i in plan.peak.live]
    return f"{' + '.join(names) or 'nothing'} make the peak of {plan.peak.bytes} B at slot {plan.peak.slot}"


def _versions(plan: Plan, name: str) -> int | None:
    pairs = zip(plan.lowered.buffers, plan.lowered.versions, strict=True)
    inside = {buffer.name: versions for buffer, versions in pairs}
    return inside.get(name) or next((s.versions for s in plan.lowered.statics if s.name == name), None)


def _missed_shares(plan: Plan, names: tuple[str, ...], where: DocPath) -> Iterator[Fault]:
    placed = {
        b.name: (b, offset) for b, offset in zip(plan.lowered.buffers, plan.packing.offsets, strict=True)
    }
    for one, other in combinations(names, 2):
        if one not in placed or other not in placed:
            gone = other if one in placed else one
            yield Fault(
                where, "expect-share", f"expected {one} and {other} to share storage, but {gone} is not there"
            )
        elif not overlaps(*placed[one], *placed[other]):
            got = ", ".join(
                f"{name} at {at}..{at + b.bytes}" for name in (one, other) for b, at in [placed[name]]
            )
            yield Fault(where, "expect-share", f"expected {one} and {other} to share storage, got {got}")


def largest(spec: ScenarioSpec, plan: Plan, budget: BudgetSpec, name: str) -> int | None:
    """The largest value of a parameter that fits, the others as they stand; None where no value does.

    The values tried are those of the file's axis, else 1 to 64. A value with which the file has no meaning
    does not fit.
    """
    axis = next((axis for axis in spec.axes if axis.name == name), Axis(name, WITHOUT_AXIS))
    values = {value for value in axis.values if isinstance(value, int)}
    others = {key: value for key, value in plan.params.items() if key in plan.changed}
    for value in sorted(values, reverse=True):
        try:
            candidate = make_plan(spec, others | {name: value})
            if not candidate.violated and judge(spec, candidate, budget).fits:
                return value
        except FaultError:
            continue
    return None
