"""The scratch of a result's store, and what else is exact without any byte declared, as Triton compiled it.

The rows were compiled after the rules were written, from random tiles, types, warps, stages and orders.
"""

from __future__ import annotations

from collections import Counter

import pytest

from smemdsl.api import loads
from smemdsl.judging.plan import ArenaPlan
from tests.program.triton_results import Row, label, program, rows

ROWS = rows()


def plan(row: Row) -> ArenaPlan:
    """The arena of a configuration."""
    return loads(program(row)).plan()


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_as_compiled(row: Row) -> None:
    """Where nothing is left open, size, alignment and offset of every buffer are the compiler's.

    A lower bound is one.
    """
    found = plan(row)
    placed = zip(found.lowered.buffers, found.packing.offsets, strict=True)
    buffers = sorted([buffer.bytes, buffer.align, offset] for buffer, offset in placed)
    if found.confidence == "exact":
        assert (buffers, found.packing.arena) == (row["buffers"], row["total"])
    elif found.confidence == "bound":
        assert found.packing.arena <= row["total"]


def test_most_are_exact() -> None:
    """What is left open is the exception, and none of the usual products: large, of 16 bits, pipelined."""
    plain = [row for row in ROWS if row["kernel"] == "product"]
    sure = Counter(plan(row).confidence for row in plain)
    assert sure["exact"] > 0.8 * len(plain)
    usual = [
        row
        for row in plain
        if row["dtype"] in ("fp16", "bf16") and row["num_stages"] > 1 and not row["trans_a"]
    ]
    large = [row for row in usual if min(row["block"]) >= 64 and row["target"] != "sm_75"]
    assert len(large) > 10
    assert all(plan(row).confidence == "exact" for row in large)


def test_table() -> None:
    """What was measured: all targets, types, numbers of warps and of stages, casts and orders."""
    assert len(ROWS) >= 150
    seen = {key: {row[key] for row in ROWS} for key in ROWS[0] if not isinstance(ROWS[0][key], list)}
    assert {int(target.removeprefix("sm_")) for target in seen["target"]} == {
        75, 80, 86, 87, 89, 90, 100, 103, 120, 121,
    }  # fmt: skip
    assert seen["dtype"] == {"fp16", "bf16", "fp8e5", "fp32", "i8"}
    assert seen["num_warps"] == {1, 2, 4, 8, 16}
    assert seen["trans_c"] == {True, False}
    assert seen["kernel"] == {"product", "attention"}
