"""Two parameters: a cell each, coloured by its bytes, what does not fit hatched, the frontier a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from smemdsl.core.buffers import Bytes
from smemdsl.output.plotting.draw.page import DASHES, SMALL, Canvas
from smemdsl.output.plotting.draw.ticks import byte_ticks, value_ticks
from smemdsl.output.plotting.labels import shortened
from smemdsl.output.plotting.palette import HEAT, INK, ink_on
from smemdsl.output.plotting.sizes import in_unit, size_label, unit_of
from smemdsl.output.plotting.sweeps import Bound, Edge, Heat, HeatFigure

_RASTER = 4_000
"""Cells above which they are a picture within the figure."""
_ABOVE = 1.5
"""Colours differ up to so many times the largest budget, since what fits is what one looks for."""
_LEAST_WIDTH, _LEAST_HEIGHT = 6, 12
"""Of a panel, in lines of text."""


class Colours:
    """From nothing to the most bytes that there are, or to well above what fits the largest budget."""

    def __init__(self, figure: HeatFigure) -> None:
        used = (used for panel in figure.panels for row in panel.used for used in row if used is not None)
        most = max(used, default=0) or 1
        largest = max((size for bound in figure.budgets for size in bound.bytes), default=most)
        top = min(most, max(1, int(_ABOVE * largest)))
        self.top = top
        self.above = top < most
        """Whether there is more than that; all of it has the last colour."""
        self.norm = Normalize(0, top)
        self._map = colormaps[HEAT]

    def of(self, size: Bytes) -> str:
        """The colour of a size, as `#rrggbb`."""
        return to_hex(self._map(min(1.0, size / self.top)))


def draw_heat(page: Canvas, figure: HeatFigure) -> None:
    """Draw a panel a policy, a bar of colours, and a key of frontiers.

    Raises:
        TooSmallError: the sheet is too narrow.
    """
    line, count = page.line, len(figure.panels)
    colours = Colours(figure)
    left = max(page.inches(text, SMALL * page.points) for text in figure.lines) + 2.4 * line
    right = 6.5 * line
    key = _key(figure)
    bottom = line * (3.6 + len(key))
    top = line * (0.6 + (1.7 if figure.title else 0) + (1.3 if count > 1 else 0))
    width = (page.sheet.width - left - right - line * (count - 1)) / count
    page.check_width(count, width, _LEAST_WIDTH)
    page.grow(bottom + top + _LEAST_HEIGHT * line)
    height = page.sheet.height - bottom - top
    for i, panel in enumerate(figure.panels):
        axes = page.axes(left + i * (width + line), bottom, width, height)
        axes.set_gid(f"panel-{i}")
        _draw_panel(page, axes, figure, panel, colours, (width, height))
        value_ticks(page, axes.xaxis, figure.columns, width, along=True)
        value_ticks(page, axes.yaxis, figure.lines if i == 0 else (), height, along=False)
        axes.set_xlabel(figure.x)
        if i == 0:
            axes.set_ylabel(figure.y)
        if count > 1:
            axes.set_title(panel.title, size=page.points, weight="bold", loc="left", pad=page.points / 2)
    bar = page.axes(page.sheet.width - right + 0.8 * line, bottom, 0.9 * line, height)
    _bar(page, bar, figure, colours)
    _write_key(page, key, bottom - 3.3 * line)
    page.title(figure.title)


def _draw_panel(
    page: Canvas,
    axes: Axes,
    figure: HeatFigure,
    panel: Heat,
    colours: Colours,
    inches: tuple[float, float],
) -> None:
    columns, lines = len(figure.columns), len(figure.lines)
    cells = [[float("nan") if used is None else used for used in row] for row in panel.used]
    axes.pcolormesh(
        range(columns + 1),
        range(lines + 1),
        cells,
        cmap=HEAT,
        norm=colours.norm,
        rasterized=columns * lines > _RASTER,
        gid=f"{axes.get_gid()}-cells",
    )
    if panel.hatched:
        patch = PathPatch(_cells(panel), fill=False, hatch="////", linewidth=0, edgecolor="white")
        patch.set_gid(f"{axes.get_gid()}-hatched")
        axes.add_patch(patch)
    _numbers(page, axes, panel, colours, (inches[0] * 72 / columns, inches[1] * 72 / lines))
    names = [bound.name for bound in figure.budgets]
    for name, edges in panel.frontiers:
        _frontier(page, axes, edges, names.index(name))


def _cells(panel: Heat) -> Path:
    """The outline of what is hatched: a rectangle for each run of a line."""
    runs: list[tuple[int, int, int]] = []
    for i, j in sorted(panel.hatched, key=lambda cell: (cell[1], cell[0])):
        if runs and runs[-1][2] == j and runs[-1][1] == i:
            runs[-1] = runs[-1][0], i + 1, j
        else:
            runs.append((i, i + 1, j))
    corners = [[(i, j), (end, j), (end, j + 1), (i, j + 1), (i, j)] for i, end, j in runs]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(runs)
    return Path(list(chain.from_iterable(corners)), codes)


def _numbers(page: Canvas, axes: Axes, panel: Heat, colours: Colours, cell: tuple[float, float]) -> None:
    """The KiB of each cell, where all of them have room."""
    size = SMALL * page.points
    number = unit_of(colours.top)
    texts = {
        (i, j): in_unit(used, number)
        for j, row in enumerate(panel.used)
        for i, used in enumerate(row)
        if used is not None
    }
    if (
        not all(texts.values())
        or cell[1] < 1.6 * size
        or max((page.measure(t, size) for t in texts.values()), default=0) > 0.85 * cell[0]
    ):
        return
    for (i, j), text in texts.items():
        colour = colours.of(panel.used[j][i] or 0)
        box = {"facecolor": colour, "edgecolor": "none", "pad": 0.1 * size}
        axes.text(i + 0.5, j + 0.5, text, size=size, ha="center", va="center", color=ink_on(colour), bbox=box)


def _frontier(page: Canvas, axes: Axes, edges: tuple[Edge, ...], number: int) -> None:
    """A dark line with a light one around it, which shows on every colour."""
    segments = list(_joined(edges))
    dash = DASHES[number % len(DASHES)]
    for colour, width, style in (("white", 5, "-"), (INK, 2.6, dash)):
        axes.add_collection(
            LineCollection(
                segments,
                colors=colour,
                linewidths=width * page.stroke,
                linestyles=[style],
                capstyle="butt" if style != "-" else "projecting",
                gid=f"{axes.get_gid()}-frontier-{number}" if colour == INK else None,
            ),
            autolim=False,
        )


def _joined(edges: tuple[Edge, ...]) -> Iterator[list[tuple[int, int]]]:
    """Edges that continue each other as one line, so that dashes do not begin anew at every cell."""
    left = {frozenset(edge) for edge in edges}
    at: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for one, other in edges:
        at.setdefault(one, []).append(other)
        at.setdefault(other, []).append(one)
    ends = sorted(at, key=lambda corner: (len(at[corner]) != 1, corner))
    for start in ends:
        line = [start]
        while following := [c for c in sorted(at[line[-1]]) if frozenset((line[-1], c)) in left]:
            left.remove(frozenset((line[-1], following[0])))
            line.append(following[0])
        if len(line) > 1:
            yield line


def _bar(page: Canvas, axes: Axes, figure: HeatFigure, colours: Colours) -> None:
    extend = "max" if colours.above else "neither"
    bar: Any = page.figure.colorbar(ScalarMappable(colours.norm, HEAT), cax=axes, extend=extend)
    bar.outline.set_linewidth(page.stroke)
    ticks = byte_ticks(colours.top)
    bar.set_ticks(ticks.places, labels=ticks.texts)
    bar.set_label(f"{figure.what} ({ticks.unit})")
    for number, bound in enumerate(figure.budgets):
        for size in bound.bytes:
            if size <= colours.top:
                dash = DASHES[number % len(DASHES)]
                axes.axhline(size, color="white", lw=5 * page.stroke)
                axes.axhline(size, color=INK, lw=2.6 * page.stroke, linestyle=dash)


def _key(figure: HeatFigure) -> list[tuple[int | None, str]]:
    """Number of a frontier and its words; notes without one."""
    edges = {name for panel in figure.panels for name, found in panel.frontiers if found}
    key = [_entry(number, bound, edges) for number, bound in enumerate(figure.budgets)]
    if any(panel.hatched for panel in figure.panels):
        key.append((None, f"Hatched: does not fit{' any of them' if len(figure.budgets) > 1 else ''}."))
    if Colours(figure).above:
        key.append((None, "Colours end well above the largest budget."))
    if any(used is None for panel in figure.panels for row in panel.used for used in row):
        key.append((None, "White: ruled out by a constraint, or in error."))
    return key


def _entry(number: int, bound: Bound, edges: set[str]) -> tuple[int | None, str]:
    """What the line of a budget is; what to say of one whose line is not there."""
    name, *sizes = size_label(bound.name, bound.name, bound.bytes).split("\n")
    words = f"{name} ({sizes[0]})" if sizes else name
    if bound.name in edges:
        return number, f"edge of what fits {words}"
    how_much = "Some" if bound.fits is None else "Everything" if bound.fits else "Nothing"
    return None, f"{how_much} fits {words}."


def _write_key(page: Canvas, key: list[tuple[int | None, str]], top: float) -> None:
    size, width = SMALL * page.points, page.sheet.width
    for i, (number, text) in enumerate(key):
        y = top - i * page.line
        indent = 0.5 * page.line
        if number is not None:
            axes = page.axes(indent, y - 0.6 * page.line, 2 * page.line, 0.2 * page.line)
            axes.set_axis_off()
            axes.plot([0, 1], [0, 0], color=INK, lw=2.6 * page.stroke, linestyle=DASHES[number % len(DASHES)])
            indent += 2.4 * page.line
        shown = shortened(text, (width - indent - page.line / 2) * 72, size, page.measure)
        page.write(indent, y, shown, size=size)
