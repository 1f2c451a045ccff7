"""The scenarios that ship, and the records that they are held against."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import smemdsl
from tests.recorded import Row, rows

__all__ = ["FILES", "ROOT", "Row", "load", "rows"]

ROOT = Path(__file__).parent.parent / "scenarios"
FILES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.yaml"))
"""Every file, by its path below `scenarios`, without suffix."""


@cache
def load(name: str) -> smemdsl.Scenario:
    """A scenario that ships."""
    return smemdsl.load(ROOT / f"{name}.yaml")
