"""Kernels that TileLang and Triton compiled, from the tests' data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.optimal.row import Row, measured, summary
from smemdsl.core.buffers import Buffer

STEMS = ("tilelang_plans", "triton")
_DATA = Path(__file__).parents[2] / "tests" / "data"


def rows() -> Iterator[Row]:
    """One row a compiler."""
    for stem in STEMS:
        yield summary(f"recorded, {stem}", (measured(plan, 1.0) for plan in plans(stem)), 0.1)


def plans(stem: str) -> Iterator[list[Buffer]]:
    """The buffers of each kernel of a file."""
    for line in (_DATA / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines():
        buffers = [Buffer(*row[:5]) for row in json.loads(line)["buffers"]]
        yield [buffer for buffer in buffers if buffer.bytes]
