"""Policies side by side: the same buffers, placed by another policy, and what a placement wastes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Bytes, Packing
from smemdsl.judging.plan import ArenaPlan
from smemdsl.policies import pack

PROVING = "optimal"
"""The policy that knows what no arena can go below."""


class PolicyResult(NamedTuple):
    """What another policy makes of the buffers of a plan."""

    policy: str
    packing: Packing


class TopBuffer(NamedTuple):
    """The buffer at the top of an arena, where it ends above what is needed."""

    name: str
    start: Bytes
    end: Bytes


def policy_results(plan: ArenaPlan, policies: Sequence[str]) -> tuple[PolicyResult, ...]:
    """The buffers of a plan, as they are, placed by other policies.

    Raises:
        UnknownNameError: there is no such policy.
    """
    lowered, limit = plan.lowered, plan.options.time_limit
    return tuple(
        PolicyResult(policy, pack(policy, lowered.buffers, lowered.align, time_limit=limit))
        for policy in policies
    )


def lower_bound(plan: ArenaPlan) -> Bytes:
    """What no arena for the buffers of a plan can go below: proved, though not always reached."""
    bound = plan.packing.lower_bound
    if bound is None:
        bound = policy_results(plan, (PROVING,))[0].packing.lower_bound
    return plan.peak.bytes if bound is None else bound


def top_buffer_above(plan: ArenaPlan, bound: Bytes) -> TopBuffer | None:
    """The buffer whose placement makes the arena larger than a bound; None where no buffer ends above it."""
    ends = [(b.end, b.offset or 0, b.name) for b in plan.layout if b.bytes]
    end, start, name = max(ends, default=(0, 0, ""), key=lambda item: item[0])
    return TopBuffer(name, start, end) if end > bound else None
