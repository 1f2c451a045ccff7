"""The rules of Triton 3.9 against configurations that it compiled: by pointers and by tensor descriptors."""

from __future__ import annotations

from collections import Counter

import pytest

from smemdsl.api import loads
from smemdsl.judging.plan import ArenaPlan
from tests.program.triton_rows import ROWS, label, program
from tests.recorded import Row


def plan(row: Row) -> ArenaPlan:
    """The arena of a configuration."""
    return loads(program(row)).plan()


def doubted(found: ArenaPlan) -> bool:
    """Whether the answer says that it may be wrong."""
    assert found.lowered.program is not None
    return bool(found.lowered.program.approximate)


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_as_compiled(row: Row) -> None:
    """Size, alignment and offset of every buffer are the compiler's, or there is a doubt."""
    found = plan(row)
    placed = zip(found.lowered.buffers, found.packing.offsets, strict=True)
    buffers = sorted([buffer.bytes, buffer.align, offset] for buffer, offset in placed)
    assert doubted(found) or (buffers, found.packing.arena) == (row["buffers"], row["total"])


def test_few_are_doubted() -> None:
    """A doubt is the exception, and mostly right to be one."""
    doubts = [row for row in ROWS if doubted(plan(row))]
    assert len(doubts) < len(ROWS) / 6
    assert sum(plan(row).packing.arena != row["total"] for row in doubts) > len(doubts) / 4


def test_table() -> None:
    """What was measured: every target, dtype, number of stages and of warps, both ways to load."""
    assert len(ROWS) >= 300
    seen = {key: Counter(row[key] for row in ROWS) for key in ROWS[0] if not isinstance(ROWS[0][key], list)}
    assert set(seen["target"]) == {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}
    assert set(seen["dtype"]) == {"fp16", "bf16", "fp8e5", "fp8e4nv", "fp32", "i8"}
    assert set(seen["num_stages"]) == set(range(1, 7))
    assert set(seen["num_warps"]) == {1, 2, 4, 8}
    assert seen["by"]["descriptors"] >= 100
    assert min(seen["target"].values()) >= 10
