"""The scenarios that ship, and the records that they are held against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import smemdsl

ROOT = Path(__file__).parent.parent / "scenarios"
DATA = Path(__file__).parent / "data"
FILES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.yaml"))
"""Every file, by its path below `scenarios`, without suffix."""
Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    """The records of a data file."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def load(name: str) -> smemdsl.Scenario:
    """A scenario that ships."""
    return smemdsl.load(ROOT / f"{name}.yaml")
