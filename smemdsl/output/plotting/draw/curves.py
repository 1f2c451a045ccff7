"""One parameter: bytes against its values, budgets as lines, and how many blocks run on an SM as bands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from smemdsl.output.plotting.draw.page import DASHES, SMALL, Canvas
from smemdsl.output.plotting.draw.ticks import byte_ticks, value_ticks
from smemdsl.output.plotting.labels import shortened, thinned, wrapped
from smemdsl.output.plotting.palette import BAND, FAINT, INK
from smemdsl.output.plotting.scale import spread
from smemdsl.output.plotting.sizes import size_label
from smemdsl.output.plotting.sweeps import CurveFigure, Point

_HEADROOM = 1.12
_LINES = ("#004488", "#ddaa33", "#bb5566", "#000000", "#6699cc", "#994455")
"""Paul Tol's schemes `high-contrast` and `medium-contrast`: apart in luminance, too."""
_MARKERS = "os^Dv<"
_FILLED = {"fits": "full", "some": "bottom", "over": "full"}
"""Of marks that fit all budgets, some, none; these are filled with white."""
_SIZES, _WIDTHS = (0.9, 0.65, 0.45), (3, 1.8, 1)
"""Of marks and lines, in sizes of the text and in strokes: a curve shows below another that is the same."""
_LEAST_WIDTH, _LEAST_HEIGHT = 8, 12
"""Of what is within the axes, in lines of text."""
_BLOCKS = 2.6
"""Room for the numbers of blocks, in lines."""


class AxesBox(NamedTuple):
    """Where the axes are, in inches."""

    left: float
    bottom: float
    width: float
    height: float


def draw_curves(page: Canvas, figure: CurveFigure) -> None:
    """Draw a curve a policy, and what it is held against.

    Raises:
        TooSmallError: the sheet is too narrow.
    """
    line = page.line
    used = [point.used for _, points in figure.curves for point in points]
    top = _HEADROOM * max(used, default=1)
    near = [size for one in figure.budgets for size in one.bytes if size and size <= 1.6 * top]
    top = max([top, *(1.05 * size for size in near)])
    ticks = byte_ticks(int(top))
    left = max(page.inches(text, SMALL * page.points) for text in ticks.texts) + 2.4 * line
    right = _right(page, figure)
    rows, words = _key_lines(page, figure)
    bottom = line * (3.6 + 1.1 * len(rows) + SMALL * len(words))
    above = line * (0.8 + (1.6 if figure.title else 0))
    page.grow(bottom + above + _LEAST_HEIGHT * line)
    width, height = page.sheet.width - left - right, page.sheet.height - bottom - above
    page.check_width(1, width, _LEAST_WIDTH)
    axes = page.axes(left, bottom, width, height)
    axes.set_xlim(0, len(figure.columns))
    axes.set_ylim(0, top)
    value_ticks(page, axes.xaxis, figure.columns, width, along=True)
    axes.set_yticks(ticks.places, ticks.texts)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(f"{figure.what} ({ticks.unit})")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    place = AxesBox(left, bottom, width, height)
    _steps(page, axes, figure, top, place)
    for number, (_, points) in enumerate(figure.curves):
        _curve(page, axes, points, number, len(figure.budgets))
    _shares(page, axes, figure, width)
    _budgets(page, axes, figure, top, place)
    _key(page, figure, bottom - 3.2 * line)
    page.title(figure.title)


def _right(page: Canvas, figure: CurveFigure) -> float:
    """Room to the right: of numbers of blocks, if there are any, and of the names of budgets."""
    labels = [_label(page, one.name, one.bytes) for one in figure.budgets]
    widest = max((page.inches(label, SMALL * page.points) for label in labels), default=0)
    return widest + 1.6 * page.line + (_BLOCKS * page.line if figure.steps else 0)


def _label(page: Canvas, name: str, sizes: Sequence[int | None]) -> str:
    known = [size for size in sizes if size is not None]
    return size_label(shortened(name, 14 * page.points, SMALL * page.points, page.measure), name, known)


def _steps(page: Canvas, axes: Axes, figure: CurveFigure, top: float, place: AxesBox) -> None:
    """Bands of bytes in which equally many blocks run, with their numbers to the right."""
    if not figure.steps:
        return
    edges = [0.0, *(min(most, top) for _, most in figure.steps), top]
    numbers = [*(blocks for blocks, _ in figure.steps), 0]
    bands = [
        (blocks, below, end)
        for blocks, (below, end) in zip(numbers, pairwise(edges), strict=True)
        if end > below
    ]
    for i, (_, below, end) in enumerate(bands):
        axes.axhspan(below, end, color="white" if i % 2 else BAND, linewidth=0, zorder=0, gid=f"band-{i}")
        axes.axhline(end, color=FAINT, lw=page.stroke, zorder=0.5)
    shown = thinned(
        [SMALL * page.points] * len(bands),
        [(below + end) / 2 / top * place.height * 72 for _, below, end in bands],
        0,
    )
    x = place.left + place.width + 0.7 * page.line
    for i in shown:
        blocks, below, end = bands[i]
        y = place.bottom + (below + end) / 2 / top * place.height
        page.write(x, y, str(blocks), size=SMALL * page.points, ha="center", va="center")
    middle = place.bottom + place.height / 2
    x = place.left + place.width + 1.7 * page.line
    page.write(
        x,
        middle,
        f"blocks/SM of {figure.steps_of}",
        size=SMALL * page.points,
        ha="center",
        va="center",
        rotation=90,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.1 * page.points},
    )


def _curve(page: Canvas, axes: Axes, points: Sequence[Point], number: int, budgets: int) -> None:
    """A line where values follow each other; its marks are as full as there are budgets that it fits."""
    width = _WIDTHS[min(number, 2)] * page.stroke
    for _, run in groupby(enumerate(points), lambda item: item[1].column - item[0]):
        part = [point for _, point in run]
        x, y = [point.column + 0.5 for point in part], [point.used for point in part]
        axes.plot(x, y, color=_colour(number), lw=width, linestyle=_dash(number))
    for fits in _FILLED:
        some = [point for point in points if _fits(point, budgets) == fits]
        if some or fits != "some":
            x, y = [point.column + 0.5 for point in some], [point.used for point in some]
            axes.plot(x, y, gid=f"curve-{number}-{fits}", **_marks(page, number, fits))


def _fits(point: Point, budgets: int) -> str:
    """Whether a point fits all budgets, some, or none."""
    return "fits" if point.fits == budgets else "some" if point.fits else "over"


def _shares(page: Canvas, axes: Axes, figure: CurveFigure, width: float) -> None:
    """Beside the marks of one curve how many of the budgets are fitted, where all of these have room."""
    count, size = len(figure.budgets), SMALL * page.points
    room = width / len(figure.columns) - 0.9 * page.points / 72
    if count < 2 or len(figure.curves) > 1 or page.inches(f" {count}/{count} ", size) > room:
        return
    for point in figure.curves[0][1]:
        axes.annotate(
            f"{point.fits}/{count}",
            (point.column + 0.5, point.used),
            (0.8 * page.points, -0.9 * page.points),
            textcoords="offset points",
            size=size,
            zorder=3,
        )


def _budgets(page: Canvas, axes: Axes, figure: CurveFigure, top: float, place: AxesBox) -> None:
    """The budgets as lines, their names to the right, moved apart where they would overlap."""
    end = place.left + place.width
    x = end + page.line * (1.1 + (_BLOCKS if figure.steps else 0))
    wanted, labels = [], []
    for number, one in enumerate(figure.budgets):
        sizes = [float("nan") if size is None else size for size in one.bytes]
        dash = DASHES[number % len(DASHES)]
        stairs = axes.stairs(sizes, baseline=None, color=INK, lw=2.2 * page.stroke, linestyle=dash)
        stairs.set_gid(f"budget-{number}")
        last = next(size for size in reversed(one.bytes) if size is not None)
        wanted.append(min(last / top, 1) * place.height)
        above = " above" if last > top else ""
        labels.append(_label(page, one.name, one.bytes) + above)
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    places = spread([wanted[i] for i in order], 2 * page.line)
    for i, y in zip(order, places, strict=True):
        size = SMALL * page.points
        at, to = place.bottom + wanted[i], place.bottom + y
        page.leader(
            [(end + 0.15 * page.line, at), (x - 0.9 * page.line, at), (x - 0.2 * page.line, to)],
            f"leader-{i}",
        )
        page.write(x, to, labels[i], size=size, va="center", linespacing=1.1)


def _key_lines(page: Canvas, figure: CurveFigure) -> tuple[list[list[int]], list[str]]:
    """Which curves stand in each line of the key, and the lines of words below."""
    room = page.sheet.width - page.line
    rows: list[list[int]] = [[]]
    used = 0.0
    for number, (policy, _) in enumerate(figure.curves if len(figure.curves) > 1 else ()):
        width = _entry(page, policy)
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0
        rows[-1].append(number)
        used += width
    count = len(figure.budgets)
    words = "Full marks fit, hollow ones do not."
    if count > 1:
        words = f"Full marks fit all {count} budgets, half-full ones some, hollow ones none."
    if figure.steps:
        only = " alone" if count > 1 else ""
        words += f" Bands: blocks/SM of {figure.steps_of}{only}, as shared memory limits them."
    return [row for row in rows if row], wrapped(words, room * 72, SMALL * page.points, page.measure)


def _entry(page: Canvas, policy: str) -> float:
    """Room for a curve and its name in the key."""
    return 3.4 * page.line + page.inches(policy, SMALL * page.points)


def _key(page: Canvas, figure: CurveFigure, top: float) -> None:
    """What the marks mean, and which curve is whose."""
    size = SMALL * page.points
    rows, words = _key_lines(page, figure)
    for row in rows:
        x = page.line / 2
        for number in row:
            policy = figure.curves[number][0]
            axes = page.axes(x, top - 0.8 * page.line, 2 * page.line, 0.7 * page.line)
            axes.set_axis_off()
            axes.set_xlim(0, 1)
            axes.set_ylim(-1, 1)
            axes.plot([0, 1], [0, 0], color=_colour(number), lw=1.5 * page.stroke, linestyle=_dash(number))
            axes.plot([0.5], [0], **_marks(page, number, "fits"))
            page.write(x + 2.2 * page.line, top, policy, size=size)
            x += _entry(page, policy)
        top -= 1.1 * page.line
    for line in words:
        page.write(page.line / 2, top, line, size=size)
        top -= SMALL * page.line


def _colour(number: int) -> str:
    return _LINES[number % len(_LINES)]


def _dash(number: int) -> Any:
    return DASHES[number % len(DASHES)]


def _marks(page: Canvas, number: int, fits: str) -> dict[str, Any]:
    """The look of a curve's marks."""
    colour = _colour(number)
    return {
        "color": colour,
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": _SIZES[min(number, 2)] * page.points,
        "fillstyle": _FILLED[fits],
        "markerfacecolor": "white" if fits == "over" else colour,
        "markerfacecoloralt": "white",
        "markeredgecolor": INK if fits == "fits" else colour,
        "markeredgewidth": (0.5 if fits == "fits" else 1.4) * page.stroke,
        "linestyle": "none",
    }
