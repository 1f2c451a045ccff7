"""Kernels that nobody had looked at when the rules were written, as captured and as TileLang compiled them.

Their sources are `tests/oracle/kernels/unseen`; `python -m tests.oracle.record` captured them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smemdsl.api import loads

LINES = (Path(__file__).parent / "unseen_kernels.jsonl").read_text().splitlines()
KERNELS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
each_kernel = pytest.mark.parametrize("kernel", [pytest.param(kernel, id=kernel["id"]) for kernel in KERNELS])


@each_kernel
def test_the_program_form_is_exact_or_says_that_it_may_not_be(kernel: dict[str, Any]) -> None:
    """Size, versions and offset of every buffer, arena and static memory; else the result is marked."""
    plan = loads(json.dumps(kernel["scenario"]), kernel["id"]).plan()
    lowered = plan.lowered
    rows = zip(lowered.buffers, lowered.versions, plan.packing.offsets, strict=True)
    declared = kernel["scenario"]["buffers"]
    found = [
        [b.name if b.name in declared else "", b.bytes, versions, offset] for b, versions, offset in rows
    ]
    expected = [
        [name if name in declared else "", size, versions, offset]
        for name, size, versions, _, offset, _ in kernel["expected"]
    ]
    same = sorted(found) == sorted(expected)
    same = same and (plan.packing.arena, lowered.static_bytes) == (kernel["total"], kernel["static"])
    if plan.confidence == "exact":
        assert same, (sorted(found), sorted(expected), plan.packing.arena, kernel["total"])


@each_kernel
def test_the_explicit_form_is_exact(kernel: dict[str, Any]) -> None:
    """With the compiler's own lives and alignments every buffer lies where the compiler has it."""
    if not all(live for *_, live in kernel["expected"]):
        assert len(kernel["expected"]) <= 1  # one buffer alone is not planned, so it has no live range
        return
    buffers = {
        name: {"bytes": size // versions, "versions": versions, "align": align, "live": live}
        for name, size, versions, align, _, live in kernel["expected"]
    }
    given = {"smemdsl": 1, "target": kernel["scenario"]["target"], "policy": "tilelang", "align": 16}
    plan = loads(json.dumps({**given, "buffers": buffers})).plan()
    offsets = dict(zip((b.name for b in plan.lowered.buffers), plan.packing.offsets, strict=True))
    assert offsets == {name: offset for name, _, _, _, offset, _ in kernel["expected"]}
    assert plan.packing.arena == kernel["total"]


def test_how_many_are_exact() -> None:
    """At most one in a hundred is not, and no kernel is marked without need but for a few kinds."""
    marked = [kernel["id"] for kernel in KERNELS if "confidence" in kernel["scenario"]]
    assert len(KERNELS) >= 220
    assert len({name.split()[0] for name in (kernel["id"] for kernel in KERNELS)}) >= 100
    assert len(marked) <= len(KERNELS) // 10, marked
