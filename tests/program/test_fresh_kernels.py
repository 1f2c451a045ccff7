"""Kernels written to be unlike the recorded ones, as `capture` wrote them and TileLang 0.1.15 compiled them.

Some are those of `tests/oracle/kernels`, where the compiler is asked again; of the others only what was
captured is kept. `static` is what the compiler has beside the arena. It tells no alignment of a lone buffer.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smemdsl.api import loads
from tests.recorded import lines

KERNELS = lines(Path(__file__).parent / "fresh_kernels.jsonl")


@pytest.mark.parametrize("kernel", [pytest.param(kernel, id=kernel["id"]) for kernel in KERNELS])
def test_a_fresh_kernel_is_packed_as_compiled(kernel: dict[str, Any]) -> None:
    """Size, versions, alignment and offset of every buffer, the arena, static memory are the compiler's."""
    plan = loads(json.dumps(kernel["scenario"]), kernel["id"]).plan()
    lowered = plan.lowered
    rows = zip(lowered.buffers, lowered.versions, plan.packing.offsets, strict=True)
    declared = kernel["scenario"]["buffers"]
    untold = {row[0] for row in kernel["expected"] if row[3] is None}
    found = [
        [b.name, b.bytes, versions, None if b.name in untold else b.align, offset]
        for b, versions, offset in rows
    ]
    ours = sorted(row for row in found if row[0] in declared)
    theirs = sorted(row for row in kernel["expected"] if row[0] in declared)
    assert ours == theirs
    workspaces = sorted(row[1:] for row in found if row[0] not in declared)
    assert workspaces == sorted(row[1:] for row in kernel["expected"] if row[0] not in declared)
    assert (plan.packing.arena, lowered.static_bytes) == (kernel["total"], kernel["static"])
