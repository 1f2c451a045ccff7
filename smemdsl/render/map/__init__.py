"""The arena as a picture in the terminal: slots across, addresses down, a block a buffer.

Both axes are compressed to the slots and addresses where something begins or ends, so that every block is
there, however short its life; the labels say which they are.
"""

from __future__ import annotations

from smemdsl.judging import Verdict
from smemdsl.picture import Grid, grid_of
from smemdsl.render.map.canvas import ASCII, UNICODE, Style, draw
from smemdsl.render.map.columns import widths_of
from smemdsl.units import kib

__all__ = ["ASCII", "MAX_BUFFERS", "UNICODE", "Style", "memory_map"]

MAX_BUFFERS = 100
"""More make no map that a person can read."""


def memory_map(verdict: Verdict, width: int, style: Style = UNICODE) -> str:
    """The map of a verdict's arena in at most `width` columns; a line of words where there is none."""
    plan = verdict.plan
    buffers = plan.lowered.buffers
    room = verdict.budget.bytes - plan.lowered.static_bytes
    if not any(buffer.bytes for buffer in buffers):
        return "no map: nothing lies in the arena"
    if len(buffers) > MAX_BUFFERS:
        return f"no map: {len(buffers)} buffers are more than a map can show"
    cut = room if 0 < room < plan.packing.arena else None
    grid = grid_of(buffers, plan.packing.offsets, plan.packing.arena, cut)
    labels = [kib(address) for address in grid.addresses]
    margin = max(map(len, labels)) + 1
    names = [buffer.name for buffer in buffers]
    widths = widths_of(grid, names, width - margin)
    if widths is None:
        return f"no map: it needs more than {width} columns"
    lines, starts = draw(grid, names, widths, style, None if cut is None else grid.addresses.index(cut))
    by_line = dict(zip(starts, labels, strict=True))
    shown = [f"{by_line.get(i, ''):>{margin - 1}} {line}" for i, line in enumerate(lines)]
    footer = [" " * margin + line for line in _axis(grid, widths, plan.peak.slot, style)]
    return "\n".join(
        line.rstrip() for line in [*shown, *footer, *_notes(verdict, style, margin, cut=cut is not None)]
    )


def _axis(grid: Grid, widths: list[int], peak: int, style: Style) -> list[str]:
    """The slots at which spans begin, as many as have room, and a mark under the peak."""
    line = ""
    position = 0
    marks = {}
    for time, width in zip(grid.times, [*widths, 0], strict=True):
        marks[time] = position
        if position >= len(line) + (1 if line else 0):
            line = f"{line:<{position}}{time}"
        position += width + 1
    return [line, f"{'':<{marks[peak] + 1}}{style.peak} peak, slot {peak}"]


def _notes(verdict: Verdict, style: Style, margin: int, *, cut: bool) -> list[str]:
    """Where the budget is, if it is no line of the map."""
    budget = verdict.budget
    if cut:
        return [f"{'':<{margin}}{style.budget * 4} {budget.name} ends here: the rest is too much"]
    room = budget.bytes - verdict.plan.launch
    if room < 0:
        return [f"{'':<{margin}}{budget.name} ends before the arena begins"]
    return [f"{'':<{margin}}{budget.name} ends {kib(room)} above the arena"]
