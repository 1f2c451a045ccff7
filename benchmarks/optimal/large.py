"""The eleven hard instances of google/minimalloc, from a folder: they are not part of this repository."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

from benchmarks.optimal.row import Row, measured
from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal import job

_LEAST_KNOWN = dict.fromkeys("ABEFGHIJK", 1048576) | {"C": 1039360, "D": 1044480}


def rows(folder: Path, limits: Sequence[float], interpreted: bool) -> Iterator[Row]:
    """One row an instance and limit; `interpreted` does without the extra `solver`."""
    with patch.object(job, "compiled_search", lambda *_: None) if interpreted else nullcontext():
        yield from _rows(folder, limits)


def _rows(folder: Path, limits: Sequence[float]) -> Iterator[Row]:
    for limit in limits:
        reached = 0
        for path in sorted(folder.glob("*.csv")):
            name = path.name[0]
            result = measured(read(path), limit)
            known = _LEAST_KNOWN[name]
            reached += result.arena <= known
            remarks = f"arena {result.arena}, bound {result.bound}, least known {known}"
            proved = "yes" if result.arena == result.bound else "no"
            yield Row(
                f"{name}, {limit:g} s", "1", proved, f"{result.seconds:.1f} s", f"{result.gap:.3%}", remarks
            )
        yield Row(f"at the least known, {limit:g} s", str(reached), "", "", "")


def read(path: Path) -> list[Buffer]:
    """The buffers of a file `id,lower,upper,size`."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Buffer(row["id"], int(row["size"]), 1, int(row["lower"]), int(row["upper"]))
            for row in csv.DictReader(file)
        ]
