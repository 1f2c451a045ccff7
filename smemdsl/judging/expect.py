"""What a scenario promises of itself, held against its verdicts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from smemdsl import devices
from smemdsl.core.errors import Fault, FaultError, UnknownNameError
from smemdsl.judging.fill import filled_plan
from smemdsl.judging.judge import judge
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.verdict import FAIL, OVER, Verdict
from smemdsl.scenario.spec import BudgetSpec, ExpectSpec, ScenarioSpec

if TYPE_CHECKING:
    from smemdsl.judging.unmet_expectations import UnmetExpectation


def own_verdicts(plan: ArenaPlan) -> list[Verdict]:
    """The file's verdicts on its budgets and on the devices it expects something of, held to what it expects.

    Raises:
        FaultError: a budget or a device cannot be resolved, or an expectation has no value.
    """
    return [_held(judged, _misses(judged)) for judged in _judged(plan)]


def own_misses(plan: ArenaPlan) -> "list[UnmetExpectation]":
    """Everything that the file expects and that is otherwise, with the numbers that would hold.

    Raises:
        FaultError: a budget or a device cannot be resolved, or an expectation has no value.
    """
    return [miss for judged in _judged(plan) for miss in _misses(judged)]


def expects_over(verdict: Verdict) -> bool:
    """Whether the file says that it does not fit this budget: of the device itself, else of all."""
    spec = verdict.plan.spec
    own = [one for written, one in spec.device_expect if devices.resolve(written).name == verdict.budget.name]
    said = [one.fits for one in (*own, spec.expect) if one is not None and one.fits is not None]
    return said[:1] == [False]


class _Judged(NamedTuple):
    """A verdict, and what is expected of it: of the device first, then of all budgets."""

    verdict: Verdict
    expects: tuple[ExpectSpec, ...]


def _judged(plan: ArenaPlan) -> Iterator[_Judged]:
    """The verdicts on all budgets, then on the further devices; each is filled for itself."""
    spec = plan.spec

    def judged(budget: BudgetSpec) -> Verdict:
        filled = filled_plan(spec, plan.given, budget, plan.options) if spec.fill else plan
        return judge(filled, budget)

    general = () if spec.expect is None else (spec.expect,)
    of_devices = _by_device(spec)
    seen = set()
    for budget in spec.budgets:
        verdict = judged(budget)
        seen.add(verdict.budget.name)
        own = of_devices.get(verdict.budget.name)
        yield _Judged(verdict, general if own is None else (own, *(_rest(one, own) for one in general)))
    for name, expect in of_devices.items():
        if name not in seen:
            yield _Judged(judged(BudgetSpec(name, expect.where)), (expect,))


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
            same = "" if written == name else f", which is {name}"
            message = f"something is expected of {written}{same}, above already"
            raise FaultError([Fault(expect.where, "duplicate-device", message, on_key=True)])
        found[name] = expect
    return found


def _rest(general: ExpectSpec, of_device: ExpectSpec) -> ExpectSpec:
    """The expectations of all budgets of which the device's say nothing."""
    versions, most = dict(of_device.versions), dict(of_device.most)
    return general._replace(
        fits=general.fits if of_device.fits is None else None,
        arena=() if of_device.arena else general.arena,
        versions=tuple(item for item in general.versions if item[0] not in versions),
        share=() if of_device.share else general.share,
        most=tuple(item for item in general.most if item[0] not in most),
        blocks_per_sm=None if of_device.blocks_per_sm else general.blocks_per_sm,
    )


def _misses(judged: _Judged) -> "list[UnmetExpectation]":
    if all(_only_fits(expect) and expect.fits == judged.verdict.fits for expect in judged.expects):
        return []
    from smemdsl.judging.unmet_expectations import misses

    return [miss for expect in judged.expects for miss in misses(judged.verdict, expect)]


def _only_fits(expect: ExpectSpec) -> bool:
    return not (expect.arena or expect.versions or expect.share or expect.most or expect.blocks_per_sm)


def _held(judged: _Judged, missed: "list[UnmetExpectation]") -> Verdict:
    verdict = judged.verdict
    word = FAIL if missed else verdict.verdict
    return verdict._replace(
        failures=(*verdict.failures, *(miss.fault for miss in missed)),
        verdict=word,
        over_expected=word == OVER and any(expect.fits is False for expect in judged.expects),
    )
