"""One arena: blocks, free space, budgets, the peak, the slots, and who shares storage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.markers import TICKDOWN
from matplotlib.patches import Rectangle

from smemdsl.core.units import kib
from smemdsl.output.picture import Block, SlotAxis
from smemdsl.output.plotting.draw.page import DASHES, SMALL, Canvas
from smemdsl.output.plotting.draw.ticks import edge_ticks
from smemdsl.output.plotting.labels import LEADING, Box, Label, apart, fitted, thinned
from smemdsl.output.plotting.maps import MapFigure, Panel, breaks
from smemdsl.output.plotting.palette import FAINT, INK, fill_of
from smemdsl.output.plotting.scale import Scale, spread

Tags = Mapping[int, str]
"""Letters that stand for the names of buffers."""
LETTER = 0.8
"""Size of those, as a share of the text's."""
_ALONG = (0.5, 0.2, 0.8, 0.35, 0.65, 0.08, 0.92, 0.27, 0.73, 0.42, 0.58, 0.14, 0.86, 0, 1)
"""Where a letter may stand along its block, the best place first."""


class PanelBox(NamedTuple):
    """The size of a panel, in inches, and what begins the identifiers of what is in it."""

    width: float
    height: float
    name: str = ""


def draw_panel(
    page: Canvas, axes: Axes, figure: MapFigure, panel: Panel, place: PanelBox, tags: Tags
) -> None:
    """Draw an arena on axes of that size."""
    axes.set_xlim(0, 1)
    axes.set_ylim(figure.scale.length, 0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["left"].set_bounds(0, figure.scale.end)
    axes.spines["bottom"].set_position(("outward", 0.4 * page.points))
    for i, space in enumerate(panel.picture.spaces):
        x = panel.axis.at(space.start)
        width = panel.axis.at(space.end) - x
        patch = Rectangle((x, space.offset), width, space.bytes, facecolor="white", edgecolor=FAINT)
        patch.set(hatch="/////", linewidth=0, gid=f"{place.name}-free-{i}")
        axes.add_patch(patch)
    for block in panel.picture.blocks:
        x = panel.axis.at(block.start)
        width = panel.axis.at(block.end) - x
        patch = Rectangle(
            (x, block.offset), width, block.bytes, facecolor=fill_of(block.buffer), edgecolor=INK
        )
        patch.set(linewidth=page.stroke, gid=f"{place.name}-block-{block.buffer}")
        axes.add_patch(patch)
    _names(page, axes, figure, panel, place)
    _letters(page, axes, figure, panel, place, tags)
    outline = Rectangle(
        (0, 0), 1, panel.picture.arena, fill=False, edgecolor=INK, linewidth=1.6 * page.stroke
    )
    outline.set(clip_on=False, gid=f"{place.name}-arena")
    axes.add_patch(outline)
    _budgets(axes, figure, page.stroke, place.name)
    _slots(page, axes, panel, place)
    _peak(page, axes, figure, panel, place)
    _groups(page, axes, figure, panel, place)


def label_of(page: Canvas, scale: Scale, axis: SlotAxis, block: Block, place: PanelBox) -> Label | None:
    """What is written in a block; None where there is no room."""
    width = (axis.at(block.end) - axis.at(block.start)) * place.width * 72
    height = block.bytes / scale.length * place.height * 72
    size = kib(block.bytes)
    details = [f"{size}, {block.versions} versions", size] if block.versions > 1 else [size]
    return fitted(block.name, details, width, height, page.points, page.measure)


def _names(page: Canvas, axes: Axes, figure: MapFigure, panel: Panel, place: PanelBox) -> None:
    """What is written in the blocks; a budget's line makes room for it."""
    for block in panel.picture.blocks:
        label = label_of(page, figure.scale, panel.axis, block, place)
        if label is None:
            continue
        box = _box(page, figure, panel, block, label, place)
        crossed = any(abs(figure.scale.at(limit.address) - box.y) < box.height / 2 for limit in figure.limits)
        style: dict[str, Any] = {
            "facecolor": fill_of(block.buffer),
            "edgecolor": "none",
            "pad": 0.1 * page.points,
        }
        axes.text(
            box.x,
            box.y,
            "\n".join(label.lines),
            size=label.size,
            rotation=90 if label.upright else 0,
            ha="center",
            va="center",
            linespacing=1.1,
            zorder=4,
            bbox=style if crossed else None,
        )


def _box(page: Canvas, figure: MapFigure, panel: Panel, block: Block, label: Label, place: PanelBox) -> Box:
    """The room that a label takes, on the axes."""
    along = max(page.inches(line, label.size) for line in label.lines)
    up = LEADING * label.size * len(label.lines) / 72
    width, height = (up, along) if label.upright else (along, up)
    x = (panel.axis.at(block.start) + panel.axis.at(block.end)) / 2
    y = block.offset + block.bytes / 2
    return Box(x, y, width / place.width, height / place.height * figure.scale.length)


def letter_places(
    page: Canvas, figure: MapFigure, panel: Panel, place: PanelBox, tags: Tags
) -> dict[int, Box]:
    """Where letters stand of blocks that have no room for a name; those that have no place are left out."""
    taken, small = [], []
    for block in panel.picture.blocks:
        label = label_of(page, figure.scale, panel.axis, block, place)
        if label is not None:
            taken.append(_box(page, figure, panel, block, label, place))
        elif block.buffer in tags:
            small.append(block)
    size = LETTER * page.points
    wanted = []
    for block in small:
        frame = Label(("m" * len(tags[block.buffer]),), size, upright=False)
        box = _box(page, figure, panel, block, frame, place)
        box = box._replace(width=box.width + 0.3 * size / 72 / place.width, height=1.15 * box.height)
        box = box._replace(y=max(box.y, box.height / 2))
        start, end = panel.axis.at(block.start), panel.axis.at(block.end)
        wanted.append([box._replace(x=start + (end - start) * share) for share in _ALONG])
    chosen = zip(small, apart(wanted, taken), strict=True)
    return {block.buffer: box for block, box in chosen if box is not None}


def _letters(page: Canvas, axes: Axes, figure: MapFigure, panel: Panel, place: PanelBox, tags: Tags) -> None:
    """Letters for blocks that have no room for a name; in a frame, since one may be larger than its block."""
    for buffer, box in letter_places(page, figure, panel, place, tags).items():
        style: dict[str, Any] = {"facecolor": fill_of(buffer), "edgecolor": INK}
        style |= {"linewidth": 0.6 * page.stroke, "pad": 0.15 * page.points}
        how: dict[str, Any] = {"size": LETTER * page.points, "zorder": 5, "bbox": style}
        axes.text(box.x, box.y, tags[buffer], ha="center", va="center", **how)


def _budgets(axes: Axes, figure: MapFigure, stroke: float, name: str) -> None:
    """A line for each budget, and a break in the axis where what follows is not to scale."""
    for number, limit in enumerate(figure.limits):
        dash = DASHES[number % len(DASHES)]
        line = axes.axhline(figure.scale.at(limit.address), color=INK, lw=2.4 * stroke, linestyle=dash)
        line.set(clip_on=False, zorder=3, gid=f"{name}-budget-{number}")
    if figure.scale.beyond:
        y = (figure.scale.end + figure.scale.at(figure.scale.beyond[0])) / 2
        axes.text(0, y, "\u2248", ha="center", va="center", weight="bold")


def _slots(page: Canvas, axes: Axes, panel: Panel, place: PanelBox) -> None:
    """The slots at which something begins or ends, as many as have room, and breaks in what is shortened."""
    axis = panel.axis
    texts = [str(time) for time in axis.times]
    edge_ticks(page, axes.xaxis, texts, axis.edges, place.width, SMALL * page.points)
    axes.set_xlabel("slot")
    below = -0.4 * page.points / 72 / place.height
    axes.plot(
        axis.edges,
        [below] * len(axis.edges),
        transform=axes.get_xaxis_transform(),
        color=INK,
        linestyle="none",
        marker=TICKDOWN,
        markersize=0.25 * page.points,
        markeredgewidth=page.stroke,
        clip_on=False,
    )
    how: dict[str, Any] = {"ha": "center", "va": "center", "weight": "bold"}
    for middle in breaks(axis):
        axes.text(middle, below, "//", transform=axes.get_xaxis_transform(), **how)


def _peak(page: Canvas, axes: Axes, figure: MapFigure, panel: Panel, place: PanelBox) -> None:
    """A bar above the span of slots at which most is live."""
    number = panel.axis.times.index(panel.picture.peak)
    left, right = panel.axis.edges[number : number + 2]
    up = figure.scale.length / place.height * page.line
    (bar,) = axes.plot([left, right], [-0.25 * up] * 2, color=INK, lw=3 * page.stroke, clip_on=False)
    bar.set(solid_capstyle="butt", gid=f"{place.name}-peak")
    text = f"peak, slot {panel.picture.peak}"
    half = page.inches(text, SMALL * page.points) / place.width / 2
    x = min(max((left + right) / 2, half), 1 - half)
    axes.text(x, -0.45 * up, text, size=SMALL * page.points, ha="center", va="bottom")


def _groups(page: Canvas, axes: Axes, figure: MapFigure, panel: Panel, place: PanelBox) -> None:
    """A bracket to the right of what shares storage, with the number that the note below has."""
    step = page.line / place.width
    up = page.line * figure.scale.length / place.height
    inset = 0.06 * up
    groups = panel.picture.groups
    for number, group in enumerate(groups, 1):
        top, bottom = group.start + inset, group.end - inset
        if bottom <= top:
            top = bottom = (group.start + group.end) / 2
        x, y = [1 + 0.2 * step, 1 + 0.4 * step, 1 + 0.4 * step, 1 + 0.2 * step], [top, top, bottom, bottom]
        axes.plot(x, y, color=INK, lw=page.stroke, clip_on=False, gid=f"{place.name}-shared-{number}")
    wanted = [((group.start + group.end) / 2, str(number)) for number, group in enumerate(groups, 1)]
    wanted.sort()
    middles = [middle for middle, _ in wanted]
    height = SMALL * up
    shown = list(range(len(wanted)))
    if height * len(wanted) > figure.scale.length:
        shown = thinned([height] * len(wanted), middles, 0)
    for i, middle in zip(shown, spread([middles[i] for i in shown], height), strict=True):
        axes.text(1 + 0.55 * step, middle, wanted[i][1], size=SMALL * page.points, va="center")
