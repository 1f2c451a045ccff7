"""Walls, names and free space as cells: a character each, and to whom it belongs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from smemdsl.output.formats.diagnostics import display_width
from smemdsl.output.map.style import Style, shortened
from smemdsl.output.picture import FREE, Grid

WALL, BUDGET, WORDS = -2, -3, -4
"""Owners of what is neither a buffer's nor free: lines, and text around the map."""
_OUTSIDE = -5
_UP, _DOWN, _RIGHT, _LEFT = 1, 2, 4, 8


class MapCell(NamedTuple):
    """A column of a line; of a wide character the second one is empty."""

    text: str
    owner: int


MapLine = list[MapCell]


class MapFrame(NamedTuple):
    """A grid with the columns of its spans and the lines of its bands."""

    grid: Grid
    widths: Sequence[int]
    heights: Sequence[int]

    def line_of(self, band: int) -> int:
        """The line of a band's upper edge; of the lower edge of the last."""
        return sum(self.heights[:band]) + band

    def column_of(self, span: int) -> int:
        """The column of a span's left edge; of the right edge of the last."""
        return sum(self.widths[:span]) + span


def cells_of(text: str, owner: int = WORDS) -> MapLine:
    """A text as cells; a mark without width goes with the character before it."""
    cells: MapLine = []
    for char in text:
        width = display_width(char)
        if width == 0 and cells:
            cells[-1] = MapCell(cells[-1].text + char, owner)
        elif width:
            cells += [MapCell(char, owner), *[MapCell("", owner)] * (width - 1)]
    return cells


def draw(frame: MapFrame, names: Sequence[str], style: Style, cuts: Iterable[int]) -> list[MapLine]:
    """The lines of a map; `cuts` are the bands whose upper edge is a budget."""
    lines: list[MapLine] = []
    cuts = frozenset(cuts)
    for band in range(len(frame.heights) + 1):
        lines.append(_budget(frame, style) if band in cuts else _wall(frame, band, style))
        if band < len(frame.heights):
            lines += [_inside(frame, band, style) for _ in range(frame.heights[band])]
    taken = {frame.line_of(band) for band in cuts}
    for index, name in enumerate(names):
        _write(lines, frame, index, name, style, taken)
    return lines


def _owner(grid: Grid, band: int, span: int) -> int:
    inside = 0 <= band < len(grid.owners) and 0 <= span < len(grid.times) - 1
    return grid.owners[band][span] if inside else _OUTSIDE


def _upright(grid: Grid, band: int, span: int) -> bool:
    """Whether a wall stands on the left of a cell."""
    return _owner(grid, band, span - 1) != _owner(grid, band, span)


def _level(grid: Grid, band: int, span: int) -> bool:
    """Whether a wall lies on the upper side of a cell."""
    return _owner(grid, band - 1, span) != _owner(grid, band, span)


def _wall(frame: MapFrame, band: int, style: Style) -> MapLine:
    """The line between two bands: corners, walls, and what shows through where there is none."""
    grid = frame.grid
    line: MapLine = []
    for span in range(len(frame.widths) + 1):
        arms = (
            _UP * _upright(grid, band - 1, span)
            | _DOWN * _upright(grid, band, span)
            | _RIGHT * _level(grid, band, span)
            | _LEFT * _level(grid, band, span - 1)
        )
        through = _fill(_owner(grid, band, span), style)
        line.append(MapCell(style.walls[arms], WALL) if arms else through)
        if span < len(frame.widths):
            level = _level(grid, band, span)
            line += [MapCell(style.walls[_RIGHT], WALL) if level else through] * frame.widths[span]
    return line


def _budget(frame: MapFrame, style: Style) -> MapLine:
    return [MapCell(style.budget, BUDGET)] * (frame.column_of(len(frame.widths)) + 1)


def _inside(frame: MapFrame, band: int, style: Style) -> MapLine:
    """A line within a band."""
    line: MapLine = []
    for span in range(len(frame.widths) + 1):
        fill = _fill(_owner(frame.grid, band, span), style)
        line.append(MapCell(style.walls[_UP], WALL) if _upright(frame.grid, band, span) else fill)
        line += [fill] * (frame.widths[span] if span < len(frame.widths) else 0)
    return line


def _fill(owner: int, style: Style) -> MapCell:
    return MapCell(style.free if owner == FREE else " ", owner)


def _write(
    lines: list[MapLine], frame: MapFrame, index: int, name: str, style: Style, taken: Container[int]
) -> None:
    """Put a name, or as much of it as there is room for, in the middle of its block."""
    bands = [band for band, row in enumerate(frame.grid.owners) if index in row]
    if not bands:
        return
    row = frame.grid.owners[bands[0]]
    first = row.index(index)
    left, right = frame.column_of(first) + 1, frame.column_of(first + row.count(index))
    line = (frame.line_of(bands[0]) + frame.line_of(bands[-1] + 1)) // 2
    line += line in taken  # below an edge there is always a line of the band
    shown = cells_of(shortened(name, right - left, style), index)
    begin = left + (right - left - len(shown)) // 2
    lines[line][begin : begin + len(shown)] = shown
