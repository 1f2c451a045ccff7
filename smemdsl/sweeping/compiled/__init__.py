"""The rows of `smemdsl.sweeping.plain`, sooner: a scenario becomes Python code once, which gives them all.

    loops      what the loops run over, and which kinds of values
    terms      values of the generated code: how they are written, what is known of them, where they stand
    arithmetic, expressions, fields, lowering, arena, limits, answers
               what is done for one configuration elsewhere, written down for all
    source     the text: loops, statements, rows
    program    all of it together

Whatever may be an error, in a configuration or in the file, is left to the plain way, which has the messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from smemdsl.judging.verdict import OK
from smemdsl.scenario.spec import Axis
from smemdsl.sweeping import plain
from smemdsl.sweeping.compiled.loops import LoopCode, of_axes, stretches
from smemdsl.sweeping.compiled.program import compile_task
from smemdsl.sweeping.compiled.terms import UncompilableError
from smemdsl.sweeping.model import RowFormat, SweepRow, SweepTable, Tally, Task

WORTH = 100
"""Configurations from which on compiling takes less time than it saves."""


class RowOptions(NamedTuple):
    """How the rows are wanted."""

    line: RowFormat | None = None
    """As text."""
    fits_only: bool = False
    """What does not fit is counted, and left out."""
    worth: int = WORTH
    """Configurations from which on to compile."""


def rows(task: Task, table: SweepTable, tally: Tally, how: RowOptions) -> Iterator[Any]:
    """As `plain.rows`, without the verdicts; or the same as lines of text."""
    if not task.configs:
        loops = of_axes(_ordered(task, table))
        yield from _rows(task, table, tally, loops, how)
    for configs, loop in stretches(task.configs, task.fixed):
        part = task._replace(configs=configs)
        yield from _rows(part, table, tally, loop, how)


def _ordered(task: Task, table: SweepTable) -> Sequence[Axis]:
    """The axes, that of the largest value last and falling."""
    if table.largest is None:
        return task.axes
    others = [axis for axis in task.axes if axis.name != table.largest]
    last = next(axis for axis in task.axes if axis.name == table.largest)
    return [*others, Axis(last.name, plain.descending(last.values))]


def _rows(
    task: Task, table: SweepTable, tally: Tally, loops: Sequence[LoopCode], how: RowOptions
) -> Iterator[Any]:
    back = _Plain(task, table, tally, loops, how)
    if loops and prod(len(loop.values) for loop in loops) >= how.worth:
        try:
            program = compile_task(task, table, loops, how.line, fits_only=how.fits_only)
        except UncompilableError:
            pass
        else:
            return program.rows([loop.values for loop in loops], tally, back)
    return back.wanted(plain.rows(task, table, tally))


class _Plain:
    """The way back to the plain way, for the configurations of some turns of the loops."""

    def __init__(
        self, task: Task, table: SweepTable, tally: Tally, loops: Sequence[LoopCode], how: RowOptions
    ) -> None:
        self._task, self._table, self._tally, self._how = task, table, tally, how
        self._names = [name for loop in loops for name in loop.names]

    def wanted(self, rows: Iterable[SweepRow]) -> Iterator[Any]:
        """The rows that are wanted, as they are wanted."""
        return map(self.made, (row for row in rows if row.word == OK) if self._how.fits_only else rows)

    def made(self, row: SweepRow) -> Any:
        """A row as it is wanted."""
        return row if self._how.line is None else self._how.line.text(row)

    def rest(self, *values: Any) -> Iterator[Any]:
        """What is wanted of all configurations in which the outer loops' parameters have these values."""
        return self.wanted(plain.rows(self._part(values), self._table, self._tally))

    def one(self, budget: int, *values: Any) -> list[SweepRow]:
        """The row of one configuration on one budget; none where a constraint rules it out."""
        part = self._part(values)
        part = part._replace(budgets=(part.budgets[budget],))
        return plain.judged(part, self._table, part.fixed, self._tally)

    def _part(self, values: Sequence[Any]) -> Task:
        given = dict(zip(self._names, values, strict=False))
        axes = tuple(axis for axis in self._task.axes if axis.name not in given)
        order = self._task.configs[0] if self._task.configs else {}
        return self._task._replace(axes=axes, configs=(), fixed={**order, **self._task.fixed, **given})
