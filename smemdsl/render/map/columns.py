"""How many columns each span of slots gets."""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.picture import FREE, Grid
from smemdsl.render.diagnostics import display_width


def widths_of(grid: Grid, names: Sequence[str], room: int) -> list[int] | None:
    """Columns of each span, walls not counted, so that names fit where there is room; None where none is.

    The buffers with the fewest spans are served first: they are the ones that need it.
    """
    spans = len(grid.times) - 1
    spare = room - (2 * spans + 1)
    if spare < 0:
        return None
    widths = [1] * spans
    for first, last, owner in sorted(_extents(grid), key=lambda extent: extent[1] - extent[0]):
        wanted = display_width(names[owner]) + 2 - (sum(widths[first:last]) + last - first - 1)
        for i in range(wanted):
            if spare == 0:
                return widths
            widths[first + i % (last - first)] += 1
            spare -= 1
    return widths


def _extents(grid: Grid) -> set[tuple[int, int, int]]:
    """First span, end and owner of every buffer."""
    return {
        (row.index(owner), row.index(owner) + row.count(owner), owner)
        for row in grid.owners
        for owner in set(row)
        if owner != FREE
    }
