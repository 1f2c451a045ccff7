"""How many columns each span of slots gets, and how many lines each band of addresses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from smemdsl.output.formats.diagnostics import display_width
from smemdsl.output.picture import FREE, Grid, axis_of


def least_width(grid: Grid) -> int:
    """Columns of a map whose every span has one, walls counted."""
    return 2 * (len(grid.times) - 1) + 1


def widths_of(grid: Grid, names: Sequence[str], room: int) -> list[int] | None:
    """Columns of each span, walls not counted, so that names fit where there is room; None where none is.

    The buffers with the fewest spans are served first: they are the ones that need it. What is left goes to
    the spans that are short of their share of the axis.
    """
    spans = len(grid.times) - 1
    spare = room - least_width(grid)
    if spare < 0:
        return None
    widths = [1] * spans
    for first, last, owner in sorted(_extents(grid), key=lambda extent: extent[1] - extent[0]):
        wanted = display_width(names[owner]) + 2 - (sum(widths[first:last]) + last - first - 1)
        for i in range(min(max(0, wanted), spare)):
            widths[first + i % (last - first)] += 1
        spare = room - sum(widths) - (spans + 1)
    return _grown(widths, grid, spare)


def _extents(grid: Grid) -> set[tuple[int, int, int]]:
    """First span, end and owner of every buffer."""
    return {
        (row.index(owner), row.index(owner) + row.count(owner), owner)
        for row in grid.owners
        for owner in set(row)
        if owner != FREE
    }


def _grown(widths: list[int], grid: Grid, spare: int) -> list[int]:
    """The widths with the columns that are left."""
    edges = axis_of(grid.times).edges
    shares = [right - left for left, right in pairwise(edges)]
    for _ in range(spare):
        neediest = max(range(len(widths)), key=lambda i: shares[i] / widths[i])
        widths[neediest] += 1
    return widths


def heights_of(grid: Grid, lines: int) -> list[int]:
    """Lines of each band by its size, walls not counted; each has one at least."""
    arena = grid.addresses[-1]
    return [max(1, round((end - start) * lines / arena)) for start, end in pairwise(grid.addresses)]
