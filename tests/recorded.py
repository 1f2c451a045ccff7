"""What is recorded under `tests`: each file is read once in a process, and nobody changes what it holds."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
Row = dict[str, Any]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """The records of a file of JSON lines below `tests/data`."""
    return lines(DATA / f"{name}.jsonl")


def lines(path: Path) -> tuple[Row, ...]:
    """The records of any file of JSON lines."""
    return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a CSV file below `tests/data`."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
