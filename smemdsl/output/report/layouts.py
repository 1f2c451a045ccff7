"""From verdicts to what a page shows of them."""

from __future__ import annotations

from collections.abc import Iterable

from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.tables import verdict_word
from smemdsl.output.picture import axis_of
from smemdsl.output.report.model import BudgetOutcome, Group, Layout, ReuseMark
from smemdsl.packing.layout import hand_overs, storage_groups
from smemdsl.scenario.binding import show


def outcomes(verdicts: Iterable[Verdict]) -> tuple[BudgetOutcome, ...]:
    """The outcomes of verdicts, whose plans may be the same."""
    layouts: dict[int, Layout] = {}
    found = []
    for verdict in verdicts:
        plan = verdict.plan
        if id(plan) not in layouts:
            layouts[id(plan)] = layout(plan)
        found.append(_outcome(verdict, layouts[id(plan)]))
    return tuple(found)


def _outcome(verdict: Verdict, of_plan: Layout) -> BudgetOutcome:
    occupancy = verdict.occupancy
    return BudgetOutcome(
        of_plan,
        verdict.budget.bytes,
        verdict_word(verdict),
        verdict.blocks_per_sm,
        () if occupancy is None else occupancy.limiters,
        tuple(warning.message for warning in verdict.warnings),
    )


def layout(plan: ArenaPlan) -> Layout:
    """The arena of a plan."""
    lowered, packing = plan.lowered, plan.packing
    times = sorted({slot for b in lowered.buffers if b.bytes for slot in (b.start, b.end)})
    axis = axis_of(times) if times else None
    return Layout(
        params=tuple(show(value) for value in plan.params.values()),
        filled=plan.filled,
        tiles=plan.layout,
        statics=tuple((s.name, s.versions, s.bytes) for s in lowered.statics),
        static=lowered.static_bytes,
        no_reuse=plan.no_reuse,
        peak=plan.peak.bytes,
        peak_slot=plan.peak.slot,
        arena=packing.arena,
        request=plan.request,
        bound=max(plan.peak.bytes, packing.lower_bound or 0),
        groups=tuple(Group(*group) for group in storage_groups(lowered.buffers, packing.offsets)),
        hand_overs=tuple(ReuseMark(*one) for one in hand_overs(lowered.buffers, packing.offsets)),
        edges=axis.edges if axis else (),
        to_scale=axis is None or axis.to_scale,
        doubts=tuple(item.reason for item in plan.uncertain),
    )
