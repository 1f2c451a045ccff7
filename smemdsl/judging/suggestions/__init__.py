"""What would fit: other values of parameters, another policy, smaller buffers at the peak, fewer bytes.

Nothing is canned: every suggestion is a configuration or a set of buffers that the model has judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.confidence import AT_MOST
from smemdsl.judging.judge import occupancy_headroom
from smemdsl.judging.suggestions.buffers import smaller_buffers
from smemdsl.judging.suggestions.model import Suggestion
from smemdsl.judging.suggestions.search import FitSearch
from smemdsl.judging.verdict import Verdict

__all__ = ["Suggestion", "suggest"]


MOST_BUFFERS = 500
"""Of more, only values of parameters are suggested: repacking so many, in many ways, takes too long."""


def suggest(verdict: Verdict) -> tuple[Suggestion, ...]:
    """What would make it fit, changes of parameters first; where it fits, what would let more blocks run.

    A verdict with no axes and no listed configurations has no parameters to change: they say which values
    make sense.
    """
    if verdict.fits:
        return tuple(_occupancy(verdict))
    search = FitSearch(verdict)
    if len(verdict.plan.lowered.buffers) > MOST_BUFFERS:
        return (*search.parameters(), *search.configs(), *_request(verdict))
    return (
        *search.parameters(),
        *search.pair(),
        *search.configs(),
        *search.policies(),
        *_request(verdict),
        *smaller_buffers(verdict),
    )


def _request(verdict: Verdict) -> Iterator[Suggestion]:
    """The arena alone, where only the launch's own request is too much."""
    plan, limit = verdict.plan, verdict.allowed_bytes
    if plan.request is not None and plan.launch > limit >= plan.used:
        arena = plan.packing.arena
        yield Suggestion("request", f"request: {arena}", f"{plan.used} of {limit} B", True, arena, {})


def _occupancy(verdict: Verdict) -> Iterator[Suggestion]:
    """The fewest bytes less that let more blocks run, and the nearest values that give as many."""
    steps = occupancy_headroom(verdict)
    if steps is None or steps.fewer is None:
        return
    blocks = steps.blocks_with_fewer
    sign = AT_MOST[verdict.plan.confidence]
    outcome = f"{sign}{blocks} {'block' if blocks == 1 else 'blocks'}/SM on {verdict.budget.name}"
    arena = max(0, verdict.arena_bytes - steps.fewer)
    yield Suggestion("occupancy", f"free {steps.fewer} B", outcome, True, arena, {})
    yield from FitSearch(verdict, blocks).parameters()
