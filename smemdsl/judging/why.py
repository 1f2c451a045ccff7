"""Why a number is what it is, in words: the buffers at the peak, the rule, the limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from smemdsl.core.buffers import Buffer
from smemdsl.devices import BUDGET
from smemdsl.judging.explain import reasons
from smemdsl.judging.judge import occupancy_headroom
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.verdict import Verdict
from smemdsl.scenario.binding import number

MOST_NAMED = 6
"""Buffers that a sentence names; of more, the largest."""


def why_used(verdict: Verdict) -> str:
    """What the bytes in use are made of: the buffers at the peak, and what comes on top of them."""
    plan = verdict.plan
    parts = [peak_makers(plan)]
    above = plan.packing.arena - plan.peak.bytes
    if above > 0 and plan.peak.live:
        parts.append(f"alignment and gaps put the arena {above} B above it")
    if plan.lowered.static_bytes:
        parts.append(f"static memory adds {plan.lowered.static_bytes} B")
    if plan.request is not None and plan.request > plan.packing.arena:
        parts.append(f"the launch requests {plan.request} B for an arena of {plan.packing.arena} B")
    return "; ".join(parts)


def peak_makers(plan: ArenaPlan) -> str:
    """The buffers that make the peak, with their sizes."""
    if not plan.peak.live:
        return "no buffer takes any space"
    makers = [plan.lowered.buffers[i] for i in plan.peak.live]
    verb = "makes" if len(makers) == 1 else "make"
    return f"{_listed(makers)} {verb} the peak of {plan.peak.bytes} B at slot {plan.peak.slot}"


def _listed(buffers: Sequence[Buffer]) -> str:
    """`A_shared 65536 + B_shared 32768 B`."""
    if len(buffers) == 1:
        return f"{buffers[0].name} alone"
    named: Sequence[Buffer] = buffers
    if len(buffers) > MOST_NAMED:
        named = sorted(buffers, key=lambda buffer: -buffer.bytes)[:MOST_NAMED]
    text = " + ".join(f"{buffer.name} {buffer.bytes}" for buffer in named) + " B"
    rest = len(buffers) - len(named)
    return f"{text} and {rest} smaller" if rest else text


def why_versions(plan: ArenaPlan, name: str) -> str:
    """The rule that gave a buffer its copies."""
    if any(static.name == name for static in plan.lowered.statics):
        return ""
    found = [r for r in reasons(plan) if r.buffer == name and r.what == "versions"]
    if not found:
        return f"`when` excludes {name}"
    stages = next((b.stages for b in plan.spec.buffers if b.name == name and b.versions is None), None)
    if stages is not None:
        first, last = (number(stage, plan.env) for stage in stages)
        return f"use_stage {last} - def_stage {first} + 1"
    rule = "" if found[0].rule == "file" else f" (rule {found[0].rule})"
    return f"{found[0].text}{rule}"


def why_apart(plan: ArenaPlan, one: Buffer, other: Buffer) -> str:
    """Why two buffers have no byte in common."""
    for buffer in (one, other):
        if not buffer.bytes:
            return f"{buffer.name} has 0 bytes"
    start, end = max(one.start, other.start), min(one.end, other.end)
    if start < end:
        return f"both are live over [{start}, {end})"
    return f"they are never live together, but policy {plan.policy} places them apart"


def why_blocks(verdict: Verdict) -> str:
    """What limits the blocks per SM, and how far the next one is."""
    if verdict.occupancy is None:
        return f"blocks per SM are not known for {verdict.budget.name}"
    text = f"{' and '.join(verdict.occupancy.limiters)} allow"
    text += "s no more" if len(verdict.occupancy.limiters) == 1 else " no more"
    text += f", with {verdict.plan.launch} B a block"
    steps = occupancy_headroom(verdict)
    if steps is not None and steps.fewer is not None:
        text += f"; {steps.fewer} B less would let {steps.blocks_with_fewer} run"
    return text


def why_largest(name: str, wanted: int, got: int | None, judged: Callable[[int], Verdict | None]) -> str:
    """What the expected value would take where it is above the one that fits, else what that one takes."""
    value = wanted if got is None or wanted > got else got
    verdict = judged(value)
    if verdict is None:
        return f"with {name}={value} the file has no meaning"
    if verdict.plan.violated:
        return f"{name}={value} does not hold the constraints"
    verb = "takes" if verdict.fits else "needs"
    if verdict.obstacle is not None and verdict.limit != BUDGET:
        return f"{name}={value} cannot be launched: {verdict.obstacle.text}"
    return f"{name}={value} {verb} {verdict.plan.launch} of {verdict.budget.bytes} B"
