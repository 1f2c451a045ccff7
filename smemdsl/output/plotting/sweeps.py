"""Sweeps as data: over two parameters a grid of arenas with the frontier of what fits, over one a curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from smemdsl import devices
from smemdsl.core.buffers import Bytes
from smemdsl.devices import Preset
from smemdsl.judging.verdict import OK
from smemdsl.output.formats.tables import cell
from smemdsl.scenario.spec import Axis, Expr
from smemdsl.sweeping import SweepRow, SweepTable

MOST_CELLS = 40_000
"""Configurations over two parameters; more could not be told apart on any sheet."""
MOST_POINTS = 1_000
"""Configurations over one."""

GridCell = tuple[int, int]
"""Column and line, each from 0."""
Edge = tuple[GridCell, GridCell]
"""From one corner of a cell to another; the cell (i, j) has its lower left one at (i, j)."""


class Swept(NamedTuple):
    """The rows of one policy."""

    policy: str
    table: SweepTable
    rows: Sequence[SweepRow]


class Bound(NamedTuple):
    """A budget."""

    name: str
    bytes: tuple[Bytes, ...]
    """Its sizes, ascending: one, unless it is an expression of the swept parameters."""
    fits: bool | None = None
    """Whether everything fits, or nothing; None where some does."""


class Heat(NamedTuple):
    """What one policy makes of two parameters."""

    title: str
    used: tuple[tuple[Bytes | None, ...], ...]
    """Bytes by line, then column; None where a constraint or an error rules that out."""
    hatched: frozenset[GridCell]
    """What fits none of the budgets."""
    frontiers: tuple[tuple[str, tuple[Edge, ...]], ...]
    """A budget's name, and the edges between what fits it and what does not."""


class HeatFigure(NamedTuple):
    """A panel for each policy, all in the same colours."""

    title: str
    x: str
    y: str
    columns: tuple[str, ...]
    """Values of x, from left to right."""
    lines: tuple[str, ...]
    """Values of y, from the bottom up."""
    panels: tuple[Heat, ...]
    budgets: tuple[Bound, ...]
    what: str
    """What is measured."""


class Point(NamedTuple):
    """One value of the parameter."""

    column: int
    used: Bytes
    fits: int
    """How many of the budgets."""


class BudgetCurve(NamedTuple):
    """A budget's bytes for each value of the parameter, None where they are not known."""

    name: str
    bytes: tuple[Bytes | None, ...]


class CurveFigure(NamedTuple):
    """A curve for the policies that agree on it, with budgets and the steps of occupancy across."""

    title: str
    x: str
    columns: tuple[str, ...]
    curves: tuple[tuple[str, tuple[Point, ...]], ...]
    """The names of the policies that make this of each value that has a meaning."""
    budgets: tuple[BudgetCurve, ...]
    steps: tuple[tuple[int, Bytes], ...]
    """A number of blocks per SM, and the most bytes with which so many run; the most blocks first."""
    steps_of: str
    """The device whose steps these are; empty where there are none."""
    what: str


def axis_values(axis: Axis, swept: Sequence[Swept]) -> tuple[str, ...]:
    """The values of an axis as text, in its order; those of expressions as they came out."""
    known = [cell(value) for value in axis.values if not isinstance(value, Expr)]
    found = (
        cell(row.values[s.table.columns.index(axis.name)]) for s in swept for row in s.rows if row.figures
    )
    return tuple(dict.fromkeys([*known, *found]))


def heat_figure(title: str, axes: Sequence[Axis], swept: Sequence[Swept]) -> HeatFigure:
    """The figure of a sweep over two axes; the first goes across."""
    x, y = axes
    columns, lines = (_with_figures(axis_values(axis, swept), axis.name, swept) for axis in axes)
    sizes: dict[str, set[Bytes]] = {}
    fits: dict[str, set[bool]] = {}
    for row in (row for one in swept for row in one.rows):
        if row.figures:
            sizes.setdefault(row.budget, set()).add(row.figures.budget)
            fits.setdefault(row.budget, set()).add(row.word == OK)
    budgets = tuple(
        Bound(name, tuple(sorted(found)), next(iter(fits[name])) if len(fits[name]) == 1 else None)
        for name, found in sizes.items()
    )
    panels = tuple(_heat(one, (x.name, columns), (y.name, lines)) for one in swept)
    static = any(r.figures.used != r.figures.arena for one in swept for r in one.rows if r.figures)
    return HeatFigure(title, x.name, y.name, columns, lines, panels, budgets, _what("arena", static=static))


def curve_figure(title: str, axis: Axis, swept: Sequence[Swept]) -> CurveFigure:
    """The figure of a sweep over one axis; its rows have their verdicts."""
    columns = axis_values(axis, swept)
    curves: dict[tuple[Point, ...], list[str]] = {}
    for one in swept:
        curves.setdefault(tuple(_points(one, axis.name, columns)), []).append(one.policy)
    verdicts = [row.verdict for one in swept for row in one.rows if row.verdict is not None]
    presets = (v.budget.preset for v in verdicts if v.occupancy is not None)
    preset = next((preset for preset in presets if preset is not None), None)
    most = max((v.blocks_per_sm or 0 for v in verdicts if v.budget.preset == preset), default=0)
    plans = [verdict.plan for verdict in verdicts]
    static = any(plan.lowered.static_bytes for plan in plans)
    return CurveFigure(
        title,
        axis.name,
        columns,
        tuple((", ".join(policies), points) for points, policies in curves.items()),
        tuple(_lines(swept, axis.name, columns)),
        tuple(_steps(preset, most)) if preset else (),
        preset.device.id if preset and most else "",
        _what("requested" if any(plan.request is not None for plan in plans) else "arena", static=static),
    )


def _with_figures(values: Sequence[str], name: str, swept: Sequence[Swept]) -> tuple[str, ...]:
    """Those values of an axis for which not everything is ruled out."""
    found = {
        cell(row.values[one.table.columns.index(name)]) for one in swept for row in one.rows if row.figures
    }
    return tuple(value for value in values if value in found)


def _what(what: str, *, static: bool) -> str:
    """What a budget is held against."""
    return f"{what} and static bytes" if static else what


def _placed(swept: Swept, *axes: tuple[str, Sequence[str]]) -> Iterator[tuple[tuple[int, ...], SweepRow]]:
    """The rows with figures, each with the number of its value on every axis."""
    places = [
        (swept.table.columns.index(name), {v: i for i, v in enumerate(values)}) for name, values in axes
    ]
    for row in swept.rows:
        if row.figures is not None:
            yield tuple(numbers[cell(row.values[column])] for column, numbers in places), row


def _heat(swept: Swept, x: tuple[str, Sequence[str]], y: tuple[str, Sequence[str]]) -> Heat:
    used: dict[GridCell, Bytes] = {}
    fitting: dict[str, set[GridCell]] = {}
    for (i, j), row in _placed(swept, x, y):
        assert row.figures is not None
        used[i, j] = row.figures.used
        fits = fitting.setdefault(row.budget, set())
        if row.word == OK:
            fits.add((i, j))
    frontiers = tuple((name, tuple(_frontier(used, fits.__contains__))) for name, fits in fitting.items())
    grid = tuple(tuple(used.get((i, j)) for i in range(len(x[1]))) for j in range(len(y[1])))
    return Heat(swept.policy, grid, frozenset(used).difference(*fitting.values()), frontiers)


def _frontier(cells: dict[GridCell, Bytes], fits: Callable[[GridCell], bool]) -> Iterator[Edge]:
    """The edges between a cell that fits and a neighbour that does not; what has no bytes is no neighbour."""
    for i, j in sorted(cells):
        for other in ((i + 1, j), (i, j + 1)):
            if other in cells and fits((i, j)) != fits(other):
                yield other, (i + 1, j + 1)


def _points(swept: Swept, x: str, columns: Sequence[str]) -> Iterator[Point]:
    found: dict[int, Point] = {}
    for (column,), row in _placed(swept, (x, columns)):
        assert row.verdict is not None
        fits = (row.word == OK) + (found[column].fits if column in found else 0)
        found[column] = Point(column, row.verdict.plan.launch, fits)
    return iter(found[column] for column in sorted(found))


def _lines(swept: Sequence[Swept], x: str, columns: Sequence[str]) -> Iterator[BudgetCurve]:
    """The budgets, the smallest first."""
    found: dict[str, dict[int, Bytes]] = {}
    for one in swept:
        for (column,), row in _placed(one, (x, columns)):
            assert row.figures is not None
            found.setdefault(row.budget, {})[column] = row.figures.budget
    for name, sizes in sorted(found.items(), key=lambda item: (min(item[1].values()), item[0])):
        yield BudgetCurve(name, tuple(sizes.get(i) for i in range(len(columns))))


def _steps(preset: Preset, most: int) -> Iterator[tuple[int, Bytes]]:
    """For each number of blocks per SM up to `most`, the largest first, the bytes up to which they run."""
    for blocks in range(most, 0, -1):
        yield blocks, min(devices.share_of_sm(preset.device, blocks), preset.block_bytes)
