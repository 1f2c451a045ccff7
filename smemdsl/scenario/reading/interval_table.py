"""A table of intervals as a scenario: the CSV of google/minimalloc, `id,lower,upper,size[,alignment]`.

A buffer is live over [lower, upper), half-open. Columns may stand in any order; `offset`, which a solution
has, is ignored. A file called NAME.CAPACITY.csv is judged by its capacity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import Diagnostic, Fault, ScenarioError
from smemdsl.core.units import LIMIT
from smemdsl.scenario.spec import BudgetSpec, BufferSpec, ScenarioSpec
from smemdsl.source.discovery import TABLE_COLUMNS, stem
from smemdsl.source.document import Document, Position, lines_of
from smemdsl.source.document.places import diagnostic_at

POLICY = "optimal"
"""What a table is packed by: whoever has one wants the least arena."""
_KNOWN = (*TABLE_COLUMNS, "alignment", "offset")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_CAPACITY = re.compile(r"(?P<name>.+)\.(?P<capacity>[1-9][0-9]{0,18})", re.ASCII)


class IntervalTable(Document):
    """The text of a table; its value is that of the scenario file which says the same."""

    __slots__ = ()

    def diagnose(self, fault: Fault) -> Diagnostic:
        """The fault at the line of its buffer, else at the first line."""
        if self._at_flag(fault):
            return super().diagnose(fault)
        reader = _TableReader(self.path, self.text)
        list(reader.buffers())
        place = Position(reader.lines.get(str(fault.where[-1]) if fault.where else "", 1), 1)
        return diagnostic_at(self.path, self.text, place, fault)


class _Cell(NamedTuple):
    """A field of a row, with the column at which it begins."""

    text: str
    column: int


def read_table(path: str, text: str) -> tuple[IntervalTable, ScenarioSpec]:
    """The table as a scenario: every buffer with its bytes and its life, packed by policy `optimal`.

    Raises:
        ScenarioError: with every row that is none.
    """
    reader = _TableReader(path, text)
    buffers = tuple(reader.buffers())
    if reader.problems:
        raise ScenarioError(reader.problems)
    name = stem(path)
    named = _CAPACITY.fullmatch(name)
    total = sum(buffer.bytes for buffer in buffers if isinstance(buffer.bytes, int))
    capacity = int(named["capacity"]) if named else min(total, LIMIT - 1)
    spec = _spec(named["name"] if named else name, buffers, capacity)
    return IntervalTable(path, text, _document(spec)), spec


def has_capacity(path: str) -> bool:
    """Whether the name of a table's file says what it must fit."""
    return _CAPACITY.fullmatch(stem(path)) is not None


class _TableReader:
    """Reads row by row; what is wrong with one is kept, and the reading goes on."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.problems: list[Diagnostic] = []
        self.lines: dict[str, int] = {}
        """The line of each buffer."""

    def buffers(self) -> Iterator[BufferSpec]:
        """The buffers of all sound rows; blank lines are none."""
        rows = ((i, _cells(line)) for i, line in enumerate(lines_of(self.text), 1) if line.strip())
        number, head = next(rows, (1, []))
        columns = [cell.text.lower() for cell in head]
        if not self.known(number, head, columns):
            return
        for number, cells in rows:
            if len(cells) != len(columns):
                self.problem(
                    number, _Cell("", 1), f"{len(cells)} fields, where {len(columns)} are named above"
                )
            elif (found := self.buffer(number, dict(zip(columns, cells, strict=True)))) is not None:
                yield found

    def known(self, number: int, head: list[_Cell], columns: list[str]) -> bool:
        """Whether the first line names the columns, each once."""
        before = len(self.problems)
        hint = (
            f"the first line names the columns: {','.join(TABLE_COLUMNS)}, and alignment where there is one"
        )
        for i, cell in enumerate(head):
            if columns[i] not in _KNOWN:
                self.problem(number, cell, f"unknown column {cell.text!r}", did_you_mean(cell.text, _KNOWN))
            elif columns[i] in columns[:i]:
                self.problem(number, cell, f"the column {cell.text!r} stands here twice")
        if missing := [name for name in TABLE_COLUMNS if name not in columns]:
            self.problem(number, _Cell("", 1), f"there is no column {', '.join(missing)}", hint)
        return len(self.problems) == before

    def buffer(self, number: int, cells: Mapping[str, _Cell]) -> BufferSpec | None:
        """The buffer of a row; None after a problem."""
        before = len(self.problems)
        name = cells["id"].text
        lower, upper, size = (self.integer(number, cells[key], key) for key in ("lower", "upper", "size"))
        align = self.integer(number, cells["alignment"], "alignment") if "alignment" in cells else 1
        if not name or not name.isprintable():
            self.problem(number, cells["id"], "the id is empty, or cannot be printed")
        elif name in self.lines:
            self.problem(number, cells["id"], f"id {name} stands in line {self.lines[name]} already")
        if lower >= upper and len(self.problems) == before:
            self.problem(number, cells["upper"], f"upper is {upper}, but must be above lower, {lower}")
        if align & (align - 1) or (not align and cells["alignment"].text == "0"):
            self.problem(number, cells["alignment"], f"alignment is {align}, but must be a power of two")
        if len(self.problems) > before:
            return None
        self.lines[name] = number
        return _buffer(name, (lower, upper), size, align)

    def integer(self, number: int, cell: _Cell, key: str) -> int:
        """The number in a field; 0 after a problem."""
        if _NUMBER.fullmatch(cell.text) and int(cell.text) < LIMIT:
            return int(cell.text)
        wanted = "a whole number of 0 or more and below 2^63"
        self.problem(
            number, cell, f"{key} is {cell.text!r}, not {wanted}" if cell.text else f"{key} is empty"
        )
        return 0

    def problem(self, number: int, cell: _Cell, message: str, hint: str = "") -> None:
        fault = Fault((), "intervals", message, hint)
        place = Position(number, cell.column, max(1, len(cell.text)))
        self.problems.append(diagnostic_at(self.path, self.text, place, fault))


def _cells(line: str) -> list[_Cell]:
    """The fields of a line, without the blanks and quotes around them."""
    cells, begin = [], 0
    for raw in line.split(","):
        text = raw.strip().strip('"')
        cells.append(_Cell(text, begin + (raw.index(text) if text else 0) + 1))
        begin += len(raw) + 1
    return cells


def _buffer(name: str, live: tuple[int, int], size: int, align: int) -> BufferSpec:
    return BufferSpec(
        name,
        ("buffers", name),
        shape=None,
        dtype=None,
        bytes=size,
        storage_bits=None,
        versions=None,
        stages=None,
        access=(),
        live=live,
        align=align,
        when=True,
        static=False,
        annotated=False,
    )


def _document(spec: ScenarioSpec) -> dict[str, Any]:
    """The value of the scenario file that says the same."""
    buffers = {b.name: {"bytes": b.bytes, "live": list(b.live or ()), "align": b.align} for b in spec.buffers}
    budget = spec.budgets[0].text
    return {
        "smemdsl": 1,
        "name": spec.name,
        "budget": budget,
        "policy": POLICY,
        "align": 1,
        "buffers": buffers,
    }


def _spec(name: str, buffers: tuple[BufferSpec, ...], capacity: int) -> ScenarioSpec:
    return ScenarioSpec(
        name=name,
        summary="",
        params=(),
        constraints=(),
        budgets=(BudgetSpec(capacity, ()),),
        blocks_per_sm=None,
        policy=POLICY,
        align=1,
        static=0,
        threads=None,
        cluster=None,
        registers=None,
        request=None,
        timeline=(),
        program=None,
        buffers=buffers,
        expect=None,
        device_expect=(),
        axes=(),
        configs=(),
    )
