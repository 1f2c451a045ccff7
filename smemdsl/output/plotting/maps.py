"""Memory maps as data: a panel for each plan, all of them on one scale, and the budgets across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from smemdsl.core.truncate import without_middle
from smemdsl.core.units import kib
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.layout import blocks_per_sm
from smemdsl.output.formats.tables import changed, filled, verdict_word
from smemdsl.output.map.budgets import BudgetLine, limits
from smemdsl.output.picture import Picture, SlotAxis, axis_of, picture_of
from smemdsl.output.plotting.scale import Scale, scale_of

MOST_BUFFERS = 500
"""More make no figure that a person can read."""
LONGEST_NAME = 60
"""Characters of a buffer's name in a note."""
_BROKEN = 4
"""A span that has less than one of so many slots of the room that it should have is marked."""


class Panel(NamedTuple):
    """One arena."""

    title: str
    notes: tuple[str, ...]
    """Its size, and what each budget makes of it."""
    picture: Picture
    axis: SlotAxis


class MapFigure(NamedTuple):
    """One arena or several, side by side."""

    title: str
    panels: tuple[Panel, ...]
    limits: tuple[BudgetLine, ...]
    """The budgets that end somewhere on the scale, ascending."""
    scale: Scale


def map_figure(verdicts: Sequence[Verdict], title: str | None = None) -> MapFigure:
    """The figure of verdicts on one scenario, those on the same plan together in a panel.

    Args:
        verdicts: One or more, with a buffer that has bytes in each.
        title: Instead of the scenario's name and the parameters that differ from the file's.
    """
    by_plan = [list(group) for _, group in groupby(verdicts, lambda verdict: id(verdict.plan))]
    ends = [limit for limit in limits(verdicts) if limit.address > 0]
    plan = verdicts[0].plan
    if title is None:
        settings = changed(plan) if len({changed(v.plan) for v in verdicts}) == 1 else ""
        title = f"{plan.name}: {settings}" if settings else plan.name
    return MapFigure(
        title,
        tuple(map(_panel, by_plan)),
        tuple(ends),
        scale_of((v.arena_bytes for v in verdicts), (limit.address for limit in ends)),
    )


def _panel(verdicts: Sequence[Verdict]) -> Panel:
    plan = verdicts[0].plan
    picture = picture_of(plan)
    title = plan.policy + (f", {filled(plan)}" if plan.filled else "")
    notes = (f"arena {kib(plan.packing.arena)}", *map(_judged, verdicts))
    return Panel(title, notes, picture, axis_of(picture.times))


def _judged(verdict: Verdict) -> str:
    """`sm_90: OK, 1 block/SM`."""
    blocks = verdict.blocks_per_sm
    occupancy = "" if blocks is None else f", {blocks_per_sm(blocks)}"
    return f"{verdict.budget.name}: {verdict_word(verdict)}{occupancy}"


def breaks(axis: SlotAxis) -> list[float]:
    """Where an axis is marked, in the middle of spans that have far less room than they should have."""
    spans = zip(pairwise(axis.times), pairwise(axis.edges), strict=True)
    return [
        (left + right) / 2
        for (start, end), (left, right) in spans
        if not axis.to_scale and end - start > _BROKEN * (end - start).bit_length()
    ]


def footnotes(figure: MapFigure) -> Iterator[str]:
    """What the marks of a figure mean."""
    if any(panel.picture.spaces for panel in figure.panels):
        yield "Hatched: free."
    if not all(panel.axis.to_scale for panel in figure.panels):
        marks = any(breaks(panel.axis) for panel in figure.panels)
        long_spans = "; // marks long spans in which nothing begins or ends" if marks else ""
        yield f"Slots are not to scale{long_spans}."
    if figure.scale.beyond:
        yield "Budgets below the break are not to scale."


def brief(name: str) -> str:
    """A name as a note has it: of a very long one the beginning and the end."""
    return without_middle(name, LONGEST_NAME)


def sharing(figure: MapFigure) -> Iterator[str]:
    """Who shares storage, by the numbers of the brackets; panels in which the same do are told together."""
    titles: dict[str, list[str]] = {}
    for panel in figure.panels:
        names = {block.buffer: brief(block.name) for block in panel.picture.blocks}
        members = (", ".join(names[i] for i in group.members) for group in panel.picture.groups)
        if text := "; ".join(f"({number}) {of}" for number, of in enumerate(members, 1)):
            titles.setdefault(text, []).append(panel.title)
    for text, of in titles.items():
        which = f"{', '.join(of)}: s" if len(of) < len(figure.panels) else "S"
        yield f"{which}haring storage: {text}."
