"""Walls, names and free space on a canvas of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdsl.picture import FREE, Grid
from smemdsl.render.diagnostics import display_width

LINES = 12
"""Lines that the bands share by their size, walls not counted; each has one at least."""
_OUTSIDE = -2
_UP, _DOWN, _RIGHT, _LEFT = 1, 2, 4, 8


class Style(NamedTuple):
    """The characters of a map."""

    walls: str
    """By the arms that meet: 1 up, 2 down, 4 right, 8 left."""
    free: str
    budget: str
    peak: str
    cut: str
    """Stands for the rest of a name."""


UNICODE = Style(" │││─└┌├─┘┐┤─┴┬┼", "·", "═", "▲", "…")
ASCII = Style(" |||-+++-+++-+++", ".", "=", "^", "~")


def draw(
    grid: Grid, names: Sequence[str], widths: Sequence[int], style: Style, cut: int | None
) -> tuple[list[str], list[int]]:
    """The lines of a map, and for each edge of a band the line that it is on; `cut` is the budget's edge."""
    heights = _heights(grid)
    lines: list[str] = []
    starts: list[int] = []
    for band in range(len(grid.owners) + 1):
        starts.append(len(lines))
        lines.append(_wall(grid, band, widths, style, budget=band == cut))
        if band < len(grid.owners):
            lines += [_inside(grid, band, widths, style)] * heights[band]
    for index, name in enumerate(names):
        _write(lines, starts, _place(grid, widths, index), name, style)
    return lines, starts


def _heights(grid: Grid) -> list[int]:
    arena = grid.addresses[-1] or 1
    sizes = [end - start for start, end in zip(grid.addresses, grid.addresses[1:], strict=False)]
    return [max(1, round(size * LINES / arena)) for size in sizes]


def _owner(grid: Grid, band: int, span: int) -> int:
    inside = 0 <= band < len(grid.owners) and 0 <= span < len(grid.times) - 1
    return grid.owners[band][span] if inside else _OUTSIDE


def _upright(grid: Grid, band: int, span: int) -> bool:
    """Whether a wall stands on the left of a cell."""
    return _owner(grid, band, span - 1) != _owner(grid, band, span)


def _level(grid: Grid, band: int, span: int) -> bool:
    """Whether a wall lies on the upper side of a cell."""
    return _owner(grid, band - 1, span) != _owner(grid, band, span)


def _wall(grid: Grid, band: int, widths: Sequence[int], style: Style, *, budget: bool) -> str:
    """The line between two bands: corners, walls, and what shows through where there is none."""
    text = ""
    for span in range(len(widths) + 1):
        arms = (
            _UP * _upright(grid, band - 1, span)
            | _DOWN * _upright(grid, band, span)
            | _RIGHT * _level(grid, band, span)
            | _LEFT * _level(grid, band, span - 1)
        )
        corner = style.walls[arms] if arms else _fill(_owner(grid, band, span), style)
        text += style.budget if budget else corner
        if span < len(widths):
            wall = style.walls[_RIGHT] if _level(grid, band, span) else _fill(_owner(grid, band, span), style)
            text += (style.budget if budget else wall) * widths[span]
    return text


def _inside(grid: Grid, band: int, widths: Sequence[int], style: Style) -> str:
    """A line within a band."""
    text = ""
    for span in range(len(widths) + 1):
        owner = _owner(grid, band, span)
        text += style.walls[_UP] if _upright(grid, band, span) else _fill(owner, style)
        text += _fill(owner, style) * (widths[span] if span < len(widths) else 0)
    return text


def _fill(owner: int, style: Style) -> str:
    return style.free if owner == FREE else " "


class _Place(NamedTuple):
    first_band: int
    end_band: int
    column: int
    width: int


def _place(grid: Grid, widths: Sequence[int], index: int) -> _Place | None:
    """Where a buffer lies on the canvas, its walls left out; None for one that is not there."""
    bands = [band for band, row in enumerate(grid.owners) if index in row]
    if not bands:
        return None
    row = grid.owners[bands[0]]
    first, count = row.index(index), row.count(index)
    column = sum(widths[:first]) + first + 1
    return _Place(bands[0], bands[-1] + 1, column, sum(widths[first : first + count]) + count - 1)


def _write(lines: list[str], starts: Sequence[int], place: _Place | None, name: str, style: Style) -> None:
    """Put a name, or as much of it as there is room for, in the middle of its block."""
    if place is None:
        return
    line = _middle(starts, place)
    shown = next(_shortened(name, place.width, style))
    column = place.column + (place.width - display_width(shown)) // 2
    lines[line] = lines[line][:column] + shown + lines[line][column + display_width(shown) :]


def _middle(starts: Sequence[int], place: _Place) -> int:
    """The line in the middle of a block; an edge of a band that runs through it will do."""
    return (starts[place.first_band] + starts[place.end_band]) // 2


def _shortened(name: str, width: int, style: Style) -> Iterator[str]:
    """The name, then ever less of it; what fits first."""
    if display_width(name) <= width:
        yield name
    for length in range(len(name) - 1, 0, -1):
        if display_width(text := name[:length] + style.cut) <= width:
            yield text
    yield name[: max(0, width)] if name.isascii() else ""
