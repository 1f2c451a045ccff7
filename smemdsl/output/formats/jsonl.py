"""JSON lines: a row of a sweep is an object on a line of its own, for what reads line by line.

Each line has the same keys in the same order:

    path, scenario  strings: the file, and the name it gives itself
    budget          string: a device's canonical name, or the budget as it was written
    params          object: each swept parameter's value, an integer, true, false or a string; null where the
                    scenario has no such parameter, or with --max no value fits; in an INVALID row the text
                    of an expression that has no value
    no_reuse_bytes, peak_bytes, arena_bytes, used_bytes, budget_bytes
                    integers; null in an INVALID row, and with --max where no value fits
    verdict         "OK", "OVER" or "INVALID"
    blocks_per_sm   integer; null where it is not known
    confidence      "exact", "bound" or "approximate"; null where there are no bytes
    limit           what is in the way, "budget", "opt-in", "static", "threads", "registers" or "cluster";
                    null where it fits or there are no bytes
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from smemdsl.core.shown import json_text
from smemdsl.scenario.binding import plain
from smemdsl.sweeping import Figures, RowField, RowFormat, Stream, SweepRow, SweepSubject, SweepTable, Tally

_NUMBERS = ("no_reuse", "peak", "arena", "used", "budget")
_SURENESS = (',"confidence":"', RowField("confidence"), '","limit":', RowField("limit"))


def sweep(table: SweepTable, rows: Iterable[SweepRow], tally: Tally) -> Iterator[str]:
    """One line a row, as the rows come."""
    return map(sweep_stream(table).line.text, rows)


def sweep_stream(table: SweepTable) -> Stream:
    """How a sweep is written: a line a row, and nothing around them."""

    def text(row: SweepRow) -> str:
        return _dump(_row(table, row)) + "\n"

    def parts(subject: SweepSubject) -> list[str | RowField]:
        return _parts(table, subject)

    return Stream("", "", RowFormat(text, parts, lambda value: _dump(plain(value)), "null"), lambda tally: "")


def _row(table: SweepTable, row: SweepRow) -> dict[str, Any]:
    pairs = zip(table.columns, row.values, strict=True)
    sizes = row.figures or (None,) * len(Figures._fields)
    blocks, limit, confidence = sizes[-3:]
    return {
        "path": row.path,
        "scenario": row.scenario,
        "budget": row.budget,
        "params": {name: v if v is None or isinstance(v, str) else plain(v) for name, v in pairs},
        **{f"{name}_bytes": size for name, size in zip(_NUMBERS, sizes, strict=False)},
        "verdict": row.word,
        "blocks_per_sm": blocks,
        "confidence": confidence,
        "limit": limit,
    }


def _parts(table: SweepTable, subject: SweepSubject) -> list[str | RowField]:
    """What `_row` makes of a row with figures, its numbers left open."""
    head = {"path": subject.path, "scenario": subject.scenario, "budget": subject.budget}
    parts: list[str | RowField] = [_dump(head)[:-1], ',"params":{']
    for i, name in enumerate(table.columns):
        parts += ("," * (i > 0) + f"{_dump(name)}:", RowField(name, param=True))
    parts.append("}")
    for name in _NUMBERS:
        parts += (f',"{name}_bytes":', RowField(name))
    return [
        *parts,
        ',"verdict":"',
        RowField("word"),
        '","blocks_per_sm":',
        RowField("blocks"),
        *_SURENESS,
        "}\n",
    ]


def _dump(value: Any) -> str:
    return json_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
