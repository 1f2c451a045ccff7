"""The arena as a picture in the terminal: slots across, addresses down, a block a buffer.

Both axes are compressed to the slots and addresses where something begins or ends, so that every block is
there, however short its life; the labels say which they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.color import StyledText
from smemdsl.output.map.around import Margins, footer, header, labelled
from smemdsl.output.map.budgets import limits, within
from smemdsl.output.map.canvas import MapFrame, draw
from smemdsl.output.map.columns import heights_of, least_width, widths_of
from smemdsl.output.map.paint import coloured, plain
from smemdsl.output.map.style import ASCII, UNICODE, Style
from smemdsl.output.picture import grid_of

__all__ = ["ASCII", "MAX_BUFFERS", "UNICODE", "Style", "memory_map"]

MAX_BUFFERS = 100
"""More make no map that a person can read."""
LINES = 12
"""Lines of a map, walls not counted."""


def memory_map(
    verdicts: Sequence[Verdict], width: int, style: Style = UNICODE, lines: int = LINES
) -> StyledText:
    """The map of an arena, with the budgets it is judged by, in at most `width` columns.

    Args:
        verdicts: Of one plan, one or more.
        width: Columns that there are.
        style: Characters to draw with.
        lines: That the bands of addresses share by their size; each has one at least.

    Returns:
        The text and the same in colours; a line of words where there is no map.
    """
    plan = verdicts[0].plan
    buffers = plan.lowered.buffers
    if not any(buffer.bytes for buffer in buffers):
        return StyledText("no map: nothing lies in the arena")
    if len(buffers) > MAX_BUFFERS:
        return StyledText(f"no map: {len(buffers)} buffers are more than a map can show")
    ends = limits(verdicts)
    cuts = within(ends, plan.packing.arena)
    grid = grid_of(buffers, plan.packing.offsets, plan.packing.arena, [limit.address for limit in cuts])
    margins = Margins.of(width, plan, [*grid.addresses, *(limit.address for limit in ends)])
    names = [buffer.name for buffer in buffers]
    widths = widths_of(grid, names, margins.room)
    if widths is None:
        needed = width - margins.room + least_width(grid)
        return StyledText(f"no map: it needs {needed} columns, not {width}")
    frame = MapFrame(grid, widths, heights_of(grid, lines))
    bands = {grid.addresses.index(limit.address): limit for limit in cuts}
    body = draw(frame, names, style, bands)
    shown = [
        *header(frame, plan.peak.slot, margins, style),
        *labelled(frame, body, bands, margins, style),
        *footer(frame, plan, ends, margins, style),
    ]
    return StyledText(plain(shown), coloured(shown))
