"""A plan held against a budget: does it fit, and how many blocks run on an SM."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdsl import devices
from smemdsl.core.buffers import Bytes
from smemdsl.core.confidence import BOUND
from smemdsl.core.errors import DocPath, ExpressionError, Fault, FaultError, UnknownNameError
from smemdsl.core.units import counted
from smemdsl.devices import Budget, Obstacle, Occupancy, Preset
from smemdsl.judging.plan import ArenaPlan, broken_constraint
from smemdsl.judging.verdict import FAIL, OK, OVER, Verdict
from smemdsl.scenario import expressions
from smemdsl.scenario.binding import at_least
from smemdsl.scenario.spec import BudgetSpec, ScenarioSpec


def judge(plan: ArenaPlan, budget: BudgetSpec) -> Verdict:
    """The verdict of a plan on one budget.

    Raises:
        FaultError: the budget cannot be resolved, or `blocks_per_sm` asks for what it cannot give.
    """
    limit = resolve(plan, budget)
    occupancy = _occupancy(plan, limit, plan.dynamic)
    obstacle = _obstacle(plan, limit, budget, occupancy)
    fits = obstacle is None
    failures = tuple(broken_constraint(item) for item in plan.violated)
    word = FAIL if failures else OK if fits else OVER
    verdict = Verdict(plan, limit, budget, fits, word, occupancy, (), failures, obstacle=obstacle)
    warnings = (
        *_doubts(plan),
        *_unsure(obstacle),
        *target_warning(plan.spec, limit.preset, limit.name),
        *_limit_warnings(verdict),
        *_request_warnings(verdict),
    )
    return verdict._replace(warnings=warnings) if warnings else verdict


def resolve(plan: ArenaPlan, budget: BudgetSpec) -> Budget:
    """The budget that a text names, shared by `blocks_per_sm` blocks where the file asks for that."""
    names = list(plan.env)

    def evaluate(text: str) -> int:
        node = expressions.parse(text)
        expressions.check_names(node, names, names)
        return expressions.evaluate_number(node, plan.env)

    try:
        limit = devices.resolve_budget(budget.text, evaluate)
    except ExpressionError as error:
        fault = Fault(budget.where, error.code, error.message, error.hint, offset=error.offset)
        raise FaultError([fault]) from None
    except UnknownNameError as error:
        raise FaultError([Fault(budget.where, "unknown-device", error.message, error.hint)]) from None
    blocks = _blocks_wanted(plan)
    return limit if blocks is None else devices.shared_by(limit, blocks)


def _obstacle(
    plan: ArenaPlan, limit: Budget, asked: BudgetSpec, occupancy: Occupancy | None
) -> Obstacle | None:
    """The first thing that keeps a block from being launched: the budget, then what the device allows."""
    if plan.launch > limit.bytes:
        text = f"{plan.launch} of {limit.bytes} B of {limit.name}, {plan.launch - limit.bytes} B too much"
        return Obstacle(devices.BUDGET, text)
    if limit.preset is None:
        return None
    launch = devices.Launch(plan.dynamic, plan.lowered.static_bytes, plan.threads, plan.registers)
    program = plan.spec.program
    special = devices.is_architecture_specific(str(asked.text) if program is None else program.target)
    found = devices.of_block(limit.preset, launch, architecture_specific=special)
    if found is None and plan.cluster is not None:
        blocks = None if occupancy is None else occupancy.blocks
        found = devices.of_cluster(limit.preset.device, plan.cluster, blocks)
    return found


def _unsure(obstacle: Obstacle | None) -> Iterator[Fault]:
    """What is not known about the limit that is in the way."""
    for _, reason in obstacle.uncertain if obstacle else ():
        yield _warning(("cluster",), "approximate", f"the verdict is approximate: {reason}")


def _blocks_wanted(plan: ArenaPlan) -> int | None:
    wanted = plan.spec.blocks_per_sm
    if wanted is None:
        return None
    return at_least(1, wanted, plan.env, "blocks_per_sm", ("blocks_per_sm",))


class OccupancyHeadroom(NamedTuple):
    """How far the blocks per SM are from their next change, by shared memory alone."""

    fewer: Bytes | None
    """Bytes less that let more blocks run; None where no saving does."""
    blocks_with_fewer: int
    more: Bytes | None
    """Bytes more that leave fewer blocks; None where none runs already."""
    blocks_with_more: int


def occupancy_headroom(verdict: Verdict) -> OccupancyHeadroom | None:
    """The nearest changes of a verdict's blocks per SM; None where these are not known."""
    plan, limit = verdict.plan, verdict.budget
    if verdict.occupancy is None or limit.preset is None:
        return None
    dynamic = plan.dynamic
    steps = devices.occupancy_cliffs(limit.preset.device, **_launch(plan, limit.preset, dynamic))
    fewer = _occupancy(plan, limit, dynamic - (steps.fewer or 0))
    more = _occupancy(plan, limit, dynamic + (steps.more or 0))
    assert fewer is not None
    assert more is not None
    return OccupancyHeadroom(steps.fewer, fewer.blocks, steps.more, more.blocks)


def blocks_with(verdict: Verdict, saving: Bytes) -> int | None:
    """Blocks per SM with so many bytes less, which is quicker to know than the steps; None where unknown."""
    dynamic = max(0, verdict.plan.dynamic - saving)
    occupancy = _occupancy(verdict.plan, verdict.budget, dynamic)
    return None if occupancy is None else occupancy.blocks


def _occupancy(plan: ArenaPlan, limit: Budget, dynamic: Bytes) -> Occupancy | None:
    preset = limit.preset
    if preset is None or preset.device.sm is None:
        return None
    return devices.blocks_per_sm(preset.device, **_launch(plan, preset, dynamic))


def _launch(plan: ArenaPlan, preset: Preset, dynamic: Bytes) -> dict[str, Any]:
    """The arguments of the occupancy rule."""
    return {
        "dynamic_bytes": dynamic,
        "static_bytes": plan.lowered.static_bytes,
        "threads": plan.threads,
        "registers": plan.registers,
        "opt_in": preset.opt_in,
    }


def _doubts(plan: ArenaPlan) -> Iterator[Fault]:
    """What the compiler's rules leave open about a program, and what the file says of itself."""
    lowered = plan.lowered.program
    if lowered is not None:
        yield from lowered.warnings
    own = len(plan.spec.uncertain)
    for i, (kind, reason) in enumerate(plan.uncertain):
        where: DocPath = ("confidence", kind) if i < own else ("program",)
        if kind == BOUND:
            yield _warning(where, "bound", f"the arena is a lower bound: {reason}")
        else:
            yield _warning(where, "approximate", f"the arena is approximate: {reason}")


def target_warning(spec: ScenarioSpec, preset: Preset | None, name: str) -> Iterator[Fault]:
    """A program is lowered for its target; on another device the compiler would make something else of it."""
    if spec.program is None or preset is None:
        return
    target = devices.resolve(spec.program.target.rpartition(":")[2]).device.id
    if preset.device.id != target:
        message = f"the program is lowered for its target {target} but judged on {name}"
        yield _warning(("target",), "other-target", message)


def _limit_warnings(verdict: Verdict) -> Iterator[Fault]:
    """What fits, and yet cannot be launched as often as was asked for, or not on every device."""
    occupancy, plan = verdict.occupancy, verdict.plan
    if not verdict.fits or verdict.budget.preset is None:
        return
    if plan.cluster is not None and plan.cluster > devices.PORTABLE:
        message = (
            f"a cluster of {plan.cluster} blocks is not portable; it needs the attribute "
            "cudaFuncAttributeNonPortableClusterSizeAllowed"
        )
        yield _warning(("cluster",), "non-portable-cluster", message)
    wanted = _blocks_wanted(verdict.plan)
    if wanted is not None and occupancy is not None and occupancy.blocks < wanted:
        message = (
            f"shared memory leaves room for {counted(wanted, 'block')} on an SM, "
            f"but only {occupancy.blocks} can run: limited by {', '.join(occupancy.limiters)}"
        )
        yield _warning(("blocks_per_sm",), "fewer-blocks", message)


def _request_warnings(verdict: Verdict) -> Iterator[Fault]:
    """What a launch that requests more than the arena costs."""
    plan, limit, occupancy = verdict.plan, verdict.budget, verdict.occupancy
    if plan.request is None or plan.request == plan.packing.arena:
        return
    if not verdict.fits and plan.used <= limit.bytes:
        and_static = f" and has {plan.lowered.static_bytes} static B" if plan.lowered.static_bytes else ""
        message = (
            f"{plan.used} B would fit {limit.name}, but the launch requests {plan.request} B{and_static}"
        )
        yield _warning(("request",), "request-over-budget", message)
    needed = _occupancy(plan, limit, plan.packing.arena)
    if occupancy is not None and needed is not None and needed.blocks > occupancy.blocks:
        message = (
            f"the request of {plan.request} B costs blocks: {occupancy.blocks} on an SM of {limit.name}, "
            f"where the arena of {plan.packing.arena} B allows {needed.blocks}"
        )
        yield _warning(("request",), "request-costs-blocks", message)


def _warning(where: DocPath, code: str, message: str) -> Fault:
    return Fault(where, code, message, severity="warning")
