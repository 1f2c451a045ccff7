"""Every combination of some axes, or every configuration of a list, judged one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.judging.verdict import OK
from smemdsl.sweeping import plain
from smemdsl.sweeping.model import (
    Config,
    Figures,
    RowField,
    RowFormat,
    Stream,
    SweepRow,
    SweepSubject,
    SweepTable,
    Tally,
    Task,
)

__all__ = [
    "Config",
    "Figures",
    "RowField",
    "RowFormat",
    "Stream",
    "SweepRow",
    "SweepSubject",
    "SweepTable",
    "Tally",
    "Task",
    "lines",
    "rows",
]


def rows(
    task: Task, table: SweepTable, tally: Tally, *, verdicts: bool = False, fits_only: bool = False
) -> Iterator[SweepRow]:
    """The rows of one task, the first axis slowest; what a constraint rules out is counted and left out.

    Args:
        task: What to sweep.
        table: What the rows of all tasks have in common.
        tally: Where to count.
        verdicts: Give each row its whole verdict, which takes far longer.
        fits_only: Count what does not fit, and leave it out.
    """
    if verdicts:
        found = plain.rows(task, table, tally)
        return (row for row in found if row.word == OK) if fits_only else found
    from smemdsl.sweeping.compiled import RowOptions
    from smemdsl.sweeping.compiled import rows as compiled

    return compiled(task, table, tally, RowOptions(None, fits_only))


def lines(
    task: Task, table: SweepTable, tally: Tally, line: RowFormat, *, fits_only: bool = False
) -> Iterator[str]:
    """The same rows as lines of text, the fastest way there is."""
    from smemdsl.sweeping.compiled import RowOptions
    from smemdsl.sweeping.compiled import rows as compiled

    return compiled(task, table, tally, RowOptions(line, fits_only))
