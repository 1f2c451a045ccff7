"""What a scenario promises of itself, held against its verdicts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from smemdsl import devices
from smemdsl.binding import number
from smemdsl.errors import DocPath, Fault, FaultError, UnknownNameError
from smemdsl.judging import FAIL, OVER, Verdict, judge
from smemdsl.packing.layout import overlaps
from smemdsl.planning import Options, Plan, make_plan
from smemdsl.spec import Axis, BudgetSpec, Comparison, ExpectSpec, Expr, ScenarioSpec

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
MAX_TRIES = 10_000
"""Values tried at most: each takes about a tenth of a millisecond."""


def own_verdicts(spec: ScenarioSpec, plan: Plan, options: Options | None = None) -> list[Verdict]:
    """The file's verdicts on its budgets and on the devices it expects something of, held to what it expects.

    Raises:
        FaultError: a budget or a device cannot be resolved, or an expectation has no value.
    """
    general = [] if spec.expect is None else [spec.expect]
    expected = _by_device(spec)
    held = []
    for budget in spec.budgets:
        verdict = judge(spec, plan, budget)
        of_device = expected.get(verdict.budget.name)
        expects = general if of_device is None else [of_device, *(_rest(e, of_device) for e in general)]
        held.append(_hold(spec, verdict, budget, expects, options))
    judged = {verdict.budget.name for verdict in held}
    for name, expect in expected.items():
        if name not in judged:
            budget = BudgetSpec(name, expect.where)
            held.append(_hold(spec, judge(spec, plan, budget), budget, [expect], options))
    return held


def _by_device(spec: ScenarioSpec) -> dict[str, ExpectSpec]:
    """The expectations of single devices, by canonical name."""
    found: dict[str, ExpectSpec] = {}
    for written, expect in spec.device_expect:
        try:
            name = devices.resolve(written).name
        except UnknownNameError as error:
            fault = Fault(expect.where, "unknown-device", error.message, error.hint, on_key=True)
            raise FaultError([fault]) from None
        if name in found:
            message = f"{written} is {name}, of which something is expected above already"
            raise FaultError([Fault(expect.where, "duplicate-device", message, on_key=True)])
        found[name] = expect
    return found


def _rest(general: ExpectSpec, of_device: ExpectSpec) -> ExpectSpec:
    """The expectations of all budgets of which the device's say nothing."""
    return general._replace(
        fits=general.fits if of_device.fits is None else None,
        arena=() if of_device.arena else general.arena,
        versions=() if of_device.versions else general.versions,
        share=() if of_device.share else general.share,
        most=() if of_device.most else general.most,
        blocks_per_sm=None if of_device.blocks_per_sm else general.blocks_per_sm,
    )


def _hold(
    spec: ScenarioSpec,
    verdict: Verdict,
    budget: BudgetSpec,
    expects: Sequence[ExpectSpec],
    options: Options | None,
) -> Verdict:
    misses = [miss for expect in expects for miss in _misses(spec, verdict, budget, expect, options)]
    word = FAIL if misses else verdict.verdict
    return verdict._replace(
        failures=(*verdict.failures, *misses),
        verdict=word,
        over_expected=word == OVER and any(expect.fits is False for expect in expects),
    )


def _misses(
    spec: ScenarioSpec, verdict: Verdict, budget: BudgetSpec, expect: ExpectSpec, options: Options | None
) -> Iterator[Fault]:
    if expect.fits is not None and expect.fits != verdict.fits:
        yield _missed_fit(verdict, expect)
    makers = f" B: {peak_makers(verdict.plan)}"
    for comparison in expect.arena:
        code = f"expect-{str(comparison.where[-1]).replace('_', '-')}"
        yield from _compare(verdict, comparison, code, "arena", verdict.arena_bytes, makers)
    for name, comparison in expect.versions:
        got = _versions(verdict.plan, name)
        yield from _compare(verdict, comparison, "expect-versions", f"versions of {name}", got)
    for names, where in expect.share:
        yield from _missed_shares(verdict.plan, names, where)
    for name, comparison in expect.most:
        most = largest(spec, verdict.plan, budget, name, options, comparison.where)
        label = f"largest {name} that fits {verdict.budget.name}"
        yield from _compare(verdict, comparison, "expect-max", label, most)
    if expect.blocks_per_sm is not None:
        label = f"blocks per SM on {verdict.budget.name}"
        code = "expect-blocks-per-sm"
        yield from _compare(verdict, expect.blocks_per_sm, code, label, verdict.blocks_per_sm)


def _missed_fit(verdict: Verdict, expect: ExpectSpec) -> Fault:
    asked, limit = verdict.plan.launch, verdict.budget
    wanted, got = ("to fit", "over") if expect.fits else ("not to fit", "below")
    message = (
        f"expected {wanted} {limit.name}, got {asked} of {limit.bytes} B, {abs(limit.bytes - asked)} B {got}"
    )
    return Fault((*expect.where, "fits"), "expect-fits", f"{message}: {peak_makers(verdict.plan)}")


def _compare(
    verdict: Verdict, comparison: Comparison, code: str, what: str, got: int | None, unit: str = ""
) -> Iterator[Fault]:
    wanted = number(comparison.number, verdict.plan.env)
    if got is not None and RELATIONS[comparison.relation](got, wanted):
        return
    relation = "" if comparison.relation == "==" else f"{comparison.relation} "
    known = "none" if got is None else f"{got}{unit}"
    yield Fault(comparison.where, code, f"expected {what} {relation}{wanted}, got {known}")


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


def largest(
    spec: ScenarioSpec,
    plan: Plan,
    budget: BudgetSpec,
    name: str,
    options: Options | None = None,
    where: DocPath = (),
) -> int | None:
    """The largest value of a parameter that fits, the others as they stand; None where no value does.

    The values tried are those of the file's axis, else 1 to 64. A value with which the file has no meaning
    does not fit.

    Raises:
        FaultError: the axis has more than `MAX_TRIES` values, or one that has no value.
    """
    axis = next((axis for axis in spec.axes if axis.name == name), Axis(name, WITHOUT_AXIS))
    if len(axis.values) > MAX_TRIES:
        message = f"the axis of {name} has {len(axis.values)} values; no more than {MAX_TRIES} are tried"
        raise FaultError([Fault(where, "too-many-values", message)])
    values = {number(v, plan.env) for v in axis.values if isinstance(v, (int, Expr))}
    others = {key: value for key, value in plan.params.items() if key in plan.changed}
    for value in sorted(values, reverse=True):
        try:
            candidate = make_plan(spec, others | {name: value}, options)
            if not candidate.violated and judge(spec, candidate, budget).fits:
                return value
        except FaultError:
            continue
    return None
