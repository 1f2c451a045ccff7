"""Memory maps: panels side by side on one scale of addresses, which go down."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.output.picture import Block
from smemdsl.output.plotting.draw.page import SMALL, Canvas
from smemdsl.output.plotting.draw.panel import PanelBox, Tags, draw_panel, label_of, letter_places
from smemdsl.output.plotting.draw.ticks import byte_ticks
from smemdsl.output.plotting.labels import letters, shortened, wrapped
from smemdsl.output.plotting.maps import MapFigure, Panel, brief, footnotes, sharing
from smemdsl.output.plotting.scale import spread
from smemdsl.output.plotting.sizes import size_label

_ROUNDS = 3
"""So often what is worked out: notes take room from the panels, in which fewer names fit, which is noted."""
_LONGEST_NAME = 14
"""Of a budget, in sizes of the text."""
_LEAST_WIDTH, _LEAST_HEIGHT = 9, 12
"""Of a panel, in lines of text: where there is no room for so many beside each other, they take more rows."""
_MOST_LETTERS, _MOST_LINES = 52, 12
"""Of buffers without room for their names; of one note."""
_BELOW = 3.5
"""Room below a panel for its slots, in lines."""


class PanelGrid(NamedTuple):
    """Where the panels are, in inches."""

    corners: tuple[tuple[float, float], ...]
    """The lower left one of each."""
    columns: int
    """Panels beside each other."""
    width: float
    """Of each."""
    height: float


def draw_map(page: Canvas, figure: MapFigure) -> None:
    """Draw panels, the budgets across all of them, and notes below.

    Raises:
        TooSmallError: the sheet is too narrow for so many panels.
    """
    labels = _limit_labels(page, figure)
    right = max((page.inches(label, SMALL * page.points) for label in labels), default=0) + page.line
    frame, notes = _arranged(page, figure, right)
    tags = _tags(page, figure, frame)
    for i, (panel, corner) in enumerate(zip(figure.panels, frame.corners, strict=True)):
        axes = page.axes(*corner, frame.width, frame.height)
        draw_panel(page, axes, figure, panel, _place(frame, f"panel-{i}"), tags)
        _head(page, panel, corner, frame)
        if i % frame.columns == 0:
            ticks = byte_ticks(figure.scale.end)
            axes.set_yticks(ticks.places, ticks.texts)
            axes.set_ylabel(f"address ({ticks.unit})")
            if labels:
                _write_limits(page, figure, labels, frame, i)
        else:
            axes.set_yticks([])
    for i, note in enumerate(notes):
        y = frame.corners[-1][1] - page.line * (_BELOW + 0.1 + SMALL * i)
        page.write(page.line / 2, y, note, size=SMALL * page.points)
    page.title(figure.title)


def _arranged(page: Canvas, figure: MapFigure, right: float) -> tuple[PanelGrid, list[str]]:
    """Where the panels go, and the lines of the notes; the page is made higher where it has to be."""
    ticks = byte_ticks(figure.scale.end)
    left = max(page.inches(text, SMALL * page.points) for text in ticks.texts) + 2.8 * page.line
    bracket = 1.4 * page.line if any(panel.picture.groups for panel in figure.panels) else 0.3 * page.line
    head = page.line * (max(len(panel.notes) for panel in figure.panels) + 2.6)
    title = page.line * (1.8 if figure.title else 0.4)
    room = page.sheet.width - left - right + page.line
    step = bracket + page.line
    page.check_width(1, room - step, _LEAST_WIDTH)
    most = min(len(figure.panels), int(room / (_LEAST_WIDTH * page.line + step)))
    rows = -(-len(figure.panels) // most)
    columns = -(-len(figure.panels) // rows)
    width = room / columns - step
    between = head + page.line * _BELOW
    notes: list[str] = []
    for _ in range(_ROUNDS):
        bottom = page.line * (0.5 + SMALL * len(notes))
        page.grow(bottom + title + rows * (between + _LEAST_HEIGHT * page.line))
        height = (page.sheet.height - bottom - title) / rows - between
        corners = tuple(
            (
                left + i % columns * (width + step),
                page.sheet.height - title - (1 + i // columns) * (between + height),
            )
            for i in range(len(figure.panels))
        )
        corners = tuple((x, y + page.line * _BELOW) for x, y in corners)
        frame = PanelGrid(corners, columns, width, height)
        notes = _notes(page, figure, frame)
    return frame, notes


def _place(frame: PanelGrid, name: str = "") -> PanelBox:
    return PanelBox(frame.width, frame.height, name)


def _head(page: Canvas, panel: Panel, corner: tuple[float, float], frame: PanelGrid) -> None:
    """The panel's title and notes, above the mark of the peak."""
    left, bottom = corner
    top = bottom + frame.height + page.line * (len(panel.notes) + 2.4)
    for i, text in enumerate((panel.title, *panel.notes)):
        size = page.points * (SMALL if i else 1)
        shown = shortened(text, (frame.width + page.line) * 72, size, page.measure)
        page.write(left, top - i * page.line, shown, size=size, weight="normal" if i else "bold")


def _limit_labels(page: Canvas, figure: MapFigure) -> list[str]:
    """The name and the address of each budget, in two lines; in one where its name is its address."""
    most = _LONGEST_NAME * page.points
    return [
        size_label(
            shortened(limit.names, most, SMALL * page.points, page.measure), limit.names, [limit.address]
        )
        for limit in figure.limits
    ]


def _write_limits(page: Canvas, figure: MapFigure, labels: list[str], frame: PanelGrid, first: int) -> None:
    """The names of the budgets beside the row that begins with a panel, moved apart where they would overlap.

    A thin line leads from each budget's line to its name.
    """
    scale = figure.scale
    last = min(first + frame.columns, len(figure.panels)) - 1
    bottom, end = frame.corners[last][1], frame.corners[last][0] + frame.width
    x = page.sheet.width - max(page.inches(label, SMALL * page.points) for label in labels) - page.line / 4
    wanted = [frame.height * scale.at(limit.address) / scale.length for limit in figure.limits]
    for i, (place, below) in enumerate(zip(wanted, spread(wanted, 2 * page.line), strict=True)):
        y, line = bottom + frame.height - below, bottom + frame.height - place
        leader = [(end + 0.15 * page.line, line), (x - page.line, line), (x - 0.2 * page.line, y)]
        page.leader(leader, f"panel-{last}-leader-{i}")
        page.write(x, y, labels[i], size=SMALL * page.points, va="center", linespacing=1.1)


def _tags(page: Canvas, figure: MapFigure, frame: PanelGrid) -> Tags:
    """A letter for each buffer that has no room for its name in some panel, but for a letter in one.

    None where there are too many.
    """
    buffers = _nameless(page, figure, frame)
    if len(buffers) > _MOST_LETTERS:
        return {}
    tags = {buffer: letters(i) for i, buffer in enumerate(buffers)}
    placed = {b for panel in figure.panels for b in letter_places(page, figure, panel, _place(frame), tags)}
    return {buffer: letters(i) for i, buffer in enumerate(b for b in buffers if b in placed)}


def _nameless(page: Canvas, figure: MapFigure, frame: PanelGrid) -> list[int]:
    """The buffers that have no room for their names in some panel."""
    return sorted({block.buffer for panel in figure.panels for block in _small(page, figure, panel, frame)})


def _small(page: Canvas, figure: MapFigure, panel: Panel, frame: PanelGrid) -> list[Block]:
    return [
        block
        for block in panel.picture.blocks
        if label_of(page, figure.scale, panel.axis, block, _place(frame)) is None
    ]


def _notes(page: Canvas, figure: MapFigure, frame: PanelGrid) -> list[str]:
    """What the marks mean, who shares storage, and the names that have no room."""
    notes = [" ".join(footnotes(figure)), *sharing(figure)]
    names = {block.buffer: brief(block.name) for panel in figure.panels for block in panel.picture.blocks}
    nameless = _nameless(page, figure, frame)
    if tags := _tags(page, figure, frame):
        notes.append("; ".join(f"{tag}: {names[buffer]}" for buffer, tag in tags.items()) + ".")
        if rest := [names[buffer] for buffer in nameless if buffer not in tags]:
            notes.append(f"Without room for a letter: {', '.join(rest)}.")
    elif nameless:
        notes.append(f"{len(nameless)} buffers have no room for their names.")
    return [line for note in notes if note for line in _lines(page, note)]


def _lines(page: Canvas, note: str) -> list[str]:
    """A note in lines; of a very long one the beginning."""
    lines = wrapped(note, (page.sheet.width - page.line) * 72, SMALL * page.points, page.measure)
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "..."]
