"""What stands around a map: slots above it, addresses to the left, who shares to the right, budgets below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Bytes, Slot
from smemdsl.core.units import kib
from smemdsl.judging.plan import ArenaPlan
from smemdsl.output.formats.diagnostics import display_width
from smemdsl.output.map.budgets import BudgetLine
from smemdsl.output.map.canvas import BUDGET, MapCell, MapFrame, MapLine, cells_of
from smemdsl.output.map.style import Style, shortened
from smemdsl.output.picture import FREE
from smemdsl.packing.layout import StorageGroup, storage_groups

_INDENT = "  "
"""Before the second and further lines of words."""


class Margins(NamedTuple):
    """Room beside a map, and who shares storage, which takes some of it."""

    width: int
    """Columns that there are."""
    left: int
    groups: tuple[StorageGroup, ...]

    @classmethod
    def of(cls, width: int, plan: ArenaPlan, addresses: Iterable[Bytes]) -> Margins:
        """The margins of a plan whose map is labelled with these addresses."""
        groups = storage_groups(plan.lowered.buffers, plan.packing.offsets)
        return cls(width, max(len(kib(address)) for address in addresses) + 1, groups)

    @property
    def room(self) -> int:
        """Columns of the map: where storage is shared, a space, a bracket and a number stand to its right."""
        return self.width - self.left - (2 + len(str(len(self.groups))) if self.groups else 0)

    def words(self, text: str, style: Style) -> Iterator[MapLine]:
        """Words beside the left margin, in as many lines as it takes; a word that is wider is cut."""
        room = self.width - self.left
        line = ""
        for word in text.split(" "):
            if line.strip() and display_width(f"{line} {word}") > room:
                yield cells_of(" " * self.left + line)
                line = _INDENT
            line += (" " if line.strip() else "") + word
            line = shortened(line, room, style)
        yield cells_of(" " * self.left + line)

    def label(self, text: str = "") -> MapLine:
        """The left margin of a line, with a label in it."""
        return cells_of(f"{text:>{self.left - 1}} ")


def header(frame: MapFrame, peak: Slot, margins: Margins, style: Style) -> Iterator[MapLine]:
    """What is on the axes, the slots at which spans begin, and a mark above the first slot of the peak."""
    ticks = _ticks(frame, style)
    what = "slots, not to scale"
    if style.gap in ticks:
        what += f"; {style.gap} marks a span where nothing starts or ends"
    yield from margins.words(what, style)
    yield [*margins.label(), *cells_of(ticks)]
    yield [*margins.label(), *cells_of(_mark(frame, peak, style))]


def _ticks(frame: MapFrame, style: Style) -> str:
    """The slots at which spans begin, where there is room, and a mark in spans of more slots than columns."""
    *times, last = frame.grid.times
    right = frame.column_of(len(times))
    text = ""
    for span, (time, end) in enumerate(zip(times, frame.grid.times[1:], strict=True)):
        column, past = frame.column_of(span), frame.column_of(span + 1)
        if (column > len(text) or not text) and column + len(str(time)) < right:
            text = f"{text:<{column}}{time}"
        middle = (max(len(text), column) + past) // 2
        if end - time > frame.widths[span] + 1 and len(text) < middle < past - 1:
            text = f"{text:<{middle}}{style.gap}"
    begin = right + 1 - len(str(last))
    return f"{text:<{begin}}{last}" if begin > len(text) else text


def _mark(frame: MapFrame, peak: Slot, style: Style) -> str:
    """A mark at the peak, with words on the side where they fit."""
    column = frame.column_of(frame.grid.times.index(peak)) + 1
    words = f"peak, slot {peak}"
    if column + len(words) < frame.column_of(len(frame.widths)):
        return f"{'':<{column}}{style.peak} {words}"
    return f"{words} {style.peak}".rjust(column + 1) if column > len(words) else f"{'':<{column}}{style.peak}"


def labelled(
    frame: MapFrame, body: Sequence[MapLine], cuts: Mapping[int, BudgetLine], margins: Margins, style: Style
) -> Iterator[MapLine]:
    """The lines of the map with their addresses, the names of budgets, and brackets around what is shared."""
    labels = {frame.line_of(band): kib(address) for band, address in enumerate(frame.grid.addresses)}
    ends = {frame.line_of(band): limit for band, limit in cuts.items()}
    brackets = _brackets(frame, margins.groups, style)
    for i, line in enumerate(body):
        shown = _budget(ends[i], len(line), style) if i in ends else line
        right = cells_of(f" {brackets[i]}") if i in brackets else []
        yield [*margins.label(labels.get(i, "")), *shown, *right]


def _brackets(frame: MapFrame, groups: Iterable[StorageGroup], style: Style) -> dict[int, str]:
    """A bracket to the right of each group's addresses, with its number."""
    found: dict[int, str] = {}
    for number, group in enumerate(groups, 1):
        first, last = (
            frame.line_of(frame.grid.addresses.index(address)) for address in (group.start, group.end)
        )
        found |= dict.fromkeys(range(first + 1, last), style.bracket[1])
        found[first] = style.bracket[3 if first in found else 0]
        found[last] = style.bracket[2]
        found[(first + last) // 2] += str(number)
    return found


def _budget(limit: BudgetLine, width: int, style: Style) -> MapLine:
    """A line across the map with the names of the budgets that end there."""
    words = shortened(f" {limit.names} ", max(0, width - 4), style)
    line = [*[MapCell(style.budget, BUDGET)] * 2, *cells_of(words, BUDGET)]
    return [*line, *[MapCell(style.budget, BUDGET)] * (width - len(line))]


def footer(
    frame: MapFrame, plan: ArenaPlan, ends: Sequence[BudgetLine], margins: Margins, style: Style
) -> Iterator[MapLine]:
    """The budgets that the arena does not reach, each as a line; the others in words; who shares storage."""
    arena, across = plan.packing.arena, frame.column_of(len(frame.widths)) + 1
    for limit in ends:
        if limit.address > arena:
            yield from margins.words(f"{style.gap} {limit.words}", style)
        if limit.address >= arena:
            yield [*margins.label(kib(limit.address)), *_budget(limit, across, style)]
    for limit in ends:
        if limit.address <= 0:
            yield from margins.words(f"{limit.names} ends before the arena begins: {limit.words}", style)
        elif limit.address < arena:
            yield from margins.words(f"{style.budget * 2} {limit.names} ends here: {limit.words}", style)
    if any(FREE in row for row in frame.grid.owners):
        yield [*margins.label(), *[MapCell(style.free, FREE)] * 2, *cells_of(" free")]
    names = [buffer.name for buffer in plan.lowered.buffers]
    for number, group in enumerate(margins.groups, 1):
        members = ", ".join(names[i] for i in group.members)
        yield from margins.words(f"{style.bracket[1]}{number} share storage: {members}", style)
