"""Parquet, for programs that read large sweeps: columns of integers and text, in row groups. By pyarrow."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import Any

from smemdsl.core.errors import ScenarioError
from smemdsl.output.formats.tables import cell
from smemdsl.source.discovery import problem
from smemdsl.sweeping import Figures, SweepRow, SweepTable, Tally

ROWS = 65_536
"""Of a row group."""
_SIZES = ("no_reuse_bytes", "peak_bytes", "arena_bytes", "used_bytes", "budget_bytes", "blocks_per_sm")
_UNKNOWN: Sequence[None] = (None,) * len(Figures._fields)


class _Drain(io.RawIOBase):
    """A file whose content is taken away while it is written."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        """It is only written."""
        return True

    def tell(self) -> int:
        """Bytes written since the beginning."""
        return self._position

    def write(self, data: Any) -> int:
        """Hold some bytes."""
        self._held.append(bytes(data))
        self._position += len(self._held[-1])
        return len(self._held[-1])

    def take(self) -> bytes:
        """What has been written since the last time."""
        taken = b"".join(self._held)
        self._held.clear()
        return taken


def available() -> bool:
    """Whether pyarrow is installed."""
    try:
        import_module("pyarrow.parquet")
    except ImportError:
        return False
    return True


def sweep(table: SweepTable, rows: Iterable[SweepRow], tally: Tally) -> Iterator[bytes]:
    """A file with a row a row; scenario and budget are always among the columns.

    Raises:
        ScenarioError: a number does not fit into 64 bits.
    """
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    fields = [("path", arrow.string()), ("scenario", arrow.string()), ("budget", arrow.string())]
    fields += [(name, arrow.int64() if name in table.integers else arrow.string()) for name in table.columns]
    fields += [("verdict", arrow.string()), *((name, arrow.int64()) for name in _SIZES)]
    fields += [("limit", arrow.string()), ("confidence", arrow.string())]
    schema = arrow.schema(fields)
    drain = _Drain()
    coming = iter(rows)
    with parquet.ParquetWriter(drain, schema) as writer:
        while group := list(islice(coming, ROWS)):
            try:
                columns = zip(*(_cells(table, row) for row in group), strict=True)
                arrays = [
                    arrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
                ]
            except OverflowError:
                message = "a number of 2^63 or more does not fit into a column of 64 bits"
                raise ScenarioError([problem("--format parquet", "output", message)]) from None
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            yield drain.take()
    yield drain.take()


def _cells(table: SweepTable, row: SweepRow) -> tuple[Any, ...]:
    values = [
        value if value is None or name in table.integers else cell(value)
        for name, value in zip(table.columns, row.values, strict=True)
    ]
    return (row.path, row.scenario, row.budget, *values, row.word, *(row.figures or _UNKNOWN))
