"""Buffers at the peak, made smaller or shorter-lived, and the arena that would be left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.core.buffers import Buffer, Bytes
from smemdsl.core.confidence import SIGNS
from smemdsl.judging.judge import judge
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.suggestions.model import QUICK, Suggestion
from smemdsl.judging.verdict import Verdict
from smemdsl.policies import pack

MOST_BUFFERS = 24
"""Buffers that are tried."""


def smaller_buffers(verdict: Verdict) -> list[Suggestion]:
    """Changes of one buffer each that lower the arena: those that fit first, then the smallest arena.

    Each buffer at the peak (of very many, the largest) is tried with one version less, with half its bytes,
    and with an end before the next buffer starts. None where the launch requests bytes of its own, or where
    it is not bytes that are in the way.
    """
    plan = verdict.plan
    if plan.request is not None or plan.launch <= verdict.allowed_bytes:
        return []
    buffers = plan.lowered.buffers
    found = [
        _suggestion(verdict, f"{buffers[index].name} {what}", arena)
        for index in sorted(sorted(plan.peak.live, key=lambda i: -buffers[i].bytes)[:MOST_BUFFERS])
        for what, changed in _changes(buffers, index, plan.lowered.versions[index])
        if (arena := _arena(plan, [*buffers[:index], changed, *buffers[index + 1 :]])) < plan.packing.arena
    ]
    return sorted(found, key=lambda one: (not one.fits, 0 if one.fits else one.arena_bytes))


def _changes(buffers: Sequence[Buffer], index: int, versions: int) -> Iterator[tuple[str, Buffer]]:
    buffer = buffers[index]
    fewer = buffer.bytes // versions * (versions - 1)
    half = buffer.bytes - buffer.bytes // 2
    if fewer:
        yield f"with {versions - 1} instead of {versions} versions", buffer._replace(bytes=fewer)
    if half < buffer.bytes and half != fewer:
        yield f"with {half} instead of {buffer.bytes} B", buffer._replace(bytes=half)
    later = [other for other in buffers if other.bytes and buffer.start < other.start < buffer.end]
    if later:
        following = min(later, key=lambda other: other.start)
        yield f"dead before {following.name} starts", buffer._replace(end=following.start)


def _arena(plan: ArenaPlan, buffers: Sequence[Buffer]) -> Bytes:
    return pack(plan.policy, buffers, plan.lowered.align, time_limit=QUICK).arena


def _suggestion(verdict: Verdict, change: str, arena: Bytes) -> Suggestion:
    plan, limit = verdict.plan, verdict.allowed_bytes
    launch = arena + plan.lowered.static_bytes
    fits = judge(plan._replace(packing=plan.packing._replace(arena=arena)), verdict.asked).fits
    outcome = f"{SIGNS[plan.confidence]}{launch} of {limit} B" + (
        f", still {launch - limit} B too much" if launch > limit else ""
    )
    return Suggestion("buffer", change, outcome, fits, arena, {})
