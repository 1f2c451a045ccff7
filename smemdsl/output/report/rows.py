"""The table of a page: its columns, and a row for each scenario on each budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Bytes
from smemdsl.core.units import percent
from smemdsl.output.formats.tables import in_kib
from smemdsl.output.report.model import BaselineFigures, BudgetOutcome, ReportEntry, ReportPage, Unjudged

RANKS = ("INVALID", "FAIL", "OVER", "OVER (expected)", "OK")
"""Verdicts, the worst first."""
UNKNOWN = "-"
WIDTHS = (6, 8, 12, 16, 20, 26, 32)
"""Characters for which the page's style has a column; what is longer is broken."""
SIGNS = {"OK": "✓", "OVER": "✗", "FAIL": "✗", "INVALID": "!"}
"""What a verdict is known by without colour."""


class Column(NamedTuple):
    """A column's header."""

    label: str
    place: int = 0
    """Its number, from 0."""
    is_number: bool = True
    policy: str = ""
    """What stands above it, where there are several policies."""
    is_last: bool = False
    """Stands behind those of the policies."""

    @property
    def kind(self) -> str:
        """How wide it has to be: name, word, verdict or number."""
        if self.label == "Scenario":
            return "name"
        if self.label.startswith("Verdict"):
            return "verdict"
        return "number" if self.is_number else "word"


class TableCell(NamedTuple):
    """A cell: what it says, and by what it is sorted."""

    text: str
    order: int | None = None
    """None: by its text; where that is a dash, behind all others."""
    kind: str = "number"
    """number, word, or verdict."""
    share: int | None = None
    """Of a bar, in percent, at most 100."""


class TableRow(NamedTuple):
    """A scenario on a budget, or an input without a verdict."""

    name: str
    path: str
    key: str
    """Which of the page's data it shows: entry and budget, or `u` and the number of an unjudged one."""
    budget: str
    verdicts: tuple[str, ...]
    """Without what stands in parentheses; by policy."""
    cells: tuple[TableCell, ...]


class TableShape(NamedTuple):
    """Which columns a page needs."""

    parameters: bool
    policies: tuple[str, ...]
    baseline: bool


OF_POLICY = ("Verdict", "Used KiB", "%", "Blocks/SM", "Arena KiB")
OF_ALL = ("of KiB", "Peak KiB", "No reuse KiB")
OF_BASELINE = ("Used KiB before", "Change KiB", "Verdict before")
WORDS = ("Scenario", "Parameters", "Budget", "Verdict", "Verdict before")
"""Columns that are not numbers."""


def shape_of(page: ReportPage) -> TableShape:
    """Parameters where one differs from its file, policies by name where there are several."""
    policies = next((entry.policies for entry in page.entries), ("",))
    return TableShape(
        any(any(entry.changed) for entry in page.entries),
        policies if len(policies) > 1 else ("",),
        bool(page.baseline),
    )


def columns(shape: TableShape) -> tuple[Column, ...]:
    """The columns, in order."""
    found = [Column("Scenario")]
    found.append(Column("Budget"))
    found += [Column(label, policy=policy) for policy in shape.policies for label in OF_POLICY]
    last = (*(OF_BASELINE if shape.baseline else ()), *(["Parameters"] if shape.parameters else ()), *OF_ALL)
    found += [Column(label, is_last=True) for label in last]
    return tuple(
        column._replace(place=i, is_number=column.label not in WORDS) for i, column in enumerate(found)
    )


def rows(page: ReportPage, shape: TableShape) -> Iterator[TableRow]:
    """The rows: scenarios in their order, each on all its budgets; then what has no verdict."""
    for number, entry in enumerate(page.entries):
        for i in range(len(entry.budgets)):
            yield _row(f"{number}.{i}", entry, i, shape)
    for number, one in enumerate(page.unjudged):
        yield _unjudged(f"u.{number}", one, shape)


def widths(table: Sequence[TableRow], shape: TableShape) -> tuple[int, ...]:
    """How many characters each column has to have room for, 0 for that of the names: one of `WIDTHS`."""
    return (0, *(_room(row.cells[i] for row in table) for i in range(len(columns(shape)) - 1)))


def _room(column: Iterable[TableCell]) -> int:
    longest = max((len(part) for cell in column for part in _unbroken(cell)), default=0)
    return next((width for width in WIDTHS if longest <= width), WIDTHS[-1])


def _unbroken(cell: TableCell) -> list[str]:
    """What of a cell stands on one line: words may be broken at spaces."""
    return cell.text.split() or [""] if cell.kind == "word" else [cell.text]


def _row(key: str, entry: ReportEntry, i: int, shape: TableShape) -> TableRow:
    count = len(entry.policies)
    found = entry.outcomes[i * count : (i + 1) * count]
    layout, budget = found[0].layout, entry.budgets[i]
    cells = [TableCell(budget, kind="word")]
    cells += [cell for outcome in found for cell in _of_policy(outcome)]
    if shape.baseline:
        before = None if entry.comparison is None else entry.comparison.before.get(budget)
        cells += _of_baseline(before, found[0])
    cells += [TableCell(entry.changed[i], kind="word")] if shape.parameters else []
    cells += map(_size, (found[0].budget, layout.peak, layout.no_reuse))
    words = tuple(base(outcome.word) for outcome in found)
    return TableRow(entry.name, entry.path, key, budget, words, tuple(cells))


def used(outcome: BudgetOutcome) -> Bytes:
    """Arena and static bytes."""
    return outcome.layout.arena + outcome.layout.static


def _of_policy(outcome: BudgetOutcome) -> Iterator[TableCell]:
    yield verdict(outcome.word)
    yield _size(used(outcome))
    share = percent(used(outcome), outcome.budget).removesuffix(" %")
    number = int(share) if share.isdecimal() else None
    yield TableCell(share, number, share=None if number is None else min(number, 100))
    yield _blocks(outcome.blocks)
    yield _size(outcome.layout.arena)


def _of_baseline(before: BaselineFigures | None, outcome: BudgetOutcome) -> Iterator[TableCell]:
    if before is None:
        yield from (TableCell(UNKNOWN), TableCell("new"), TableCell(UNKNOWN, kind="word"))
        return
    change = used(outcome) - before.used
    yield _size(before.used)
    yield TableCell(signed(change), change)
    yield verdict(before.word)


def signed(size: Bytes) -> str:
    """The KiB of a difference: `+16.0`, `-0.5`, `0`."""
    return f"{'+' if size > 0 else ''}{in_kib(size)}" if size else "0"


def base(word: str) -> str:
    """The verdict alone, without what is said of it: `OK?` is OK, `OVER (threads)` is OVER."""
    return word.partition(" ")[0].rstrip("?")


def verdict(word: str) -> TableCell:
    """A verdict, worst first."""
    plain = base(word) + (" (expected)" if "expected" in word else "")
    rank = RANKS.index(plain) if plain in RANKS else len(RANKS)
    return TableCell(f"{SIGNS.get(base(word), '')} {word}".strip(), rank, "verdict")


def _size(size: Bytes) -> TableCell:
    return TableCell(in_kib(size), size)


def _blocks(count: int | None) -> TableCell:
    return TableCell(UNKNOWN if count is None else str(count), count)


def _unjudged(key: str, one: Unjudged, shape: TableShape) -> TableRow:
    kinds = [(column.label, "number" if column.is_number else "word") for column in columns(shape)[1:]]
    cells = [
        verdict(one.word) if label == "Verdict" else TableCell(UNKNOWN, kind=kind) for label, kind in kinds
    ]
    return TableRow(one.path, "", key, "", (one.word,), tuple(cells))
