"""Kernels that TileLang and Triton compiled, from the tests' data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.optimal.row import Row, measured, summary
from smemdsl.core.buffers import Buffer

_DATA = Path(__file__).parents[2] / "tests" / "data"


def rows() -> Iterator[Row]:
    """One row a compiler."""
    for stem in ("tilelang_plans", "triton"):
        yield summary(f"recorded, {stem}", (measured(plan, 1.0) for plan in _plans(stem)), 0.1)


def _plans(stem: str) -> Iterator[list[Buffer]]:
    for line in (_DATA / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines():
        buffers = [Buffer(*row[:5]) for row in json.loads(line)["buffers"]]
        yield [buffer for buffer in buffers if buffer.bytes]
