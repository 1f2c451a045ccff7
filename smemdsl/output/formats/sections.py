"""The rows of a sweep in as many tables as there are scenarios of different parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smemdsl.sweeping import SweepRow, SweepTable


def by_scenario(
    table: SweepTable, rows: Iterable[SweepRow]
) -> Iterator[tuple[str, SweepTable, list[SweepRow]]]:
    """The rows of scenarios of different parameters, each with a title and a table of its own.

    A title is empty where one table has them all.
    """
    if not table.scenarios:
        yield "", table, list(rows)
        return
    found = [(path, list(group)) for path, group in groupby(rows, lambda row: row.path)]
    known = [_known(table, group) for _, group in found]
    if len(set(known)) <= 1:
        yield "", table, [row for _, group in found for row in group]
        return
    for (path, group), own in zip(found, known, strict=True):
        columns = tuple(table.columns[i] for i in own)
        alone = table._replace(columns=columns, scenarios=False)
        cut = [row._replace(values=tuple(row.values[i] for i in own)) for row in group]
        yield f"{group[0].scenario} ({path})", alone, cut


def _known(table: SweepTable, rows: Sequence[SweepRow]) -> tuple[int, ...]:
    """The columns in which these rows have something, and that of the largest value."""
    return tuple(
        i
        for i, name in enumerate(table.columns)
        if name == table.largest or any(row.values[i] is not None for row in rows)
    )
