"""The rules of Triton 3.9 on 60 plain matrix products that it compiled, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.api import loads
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import ArenaPlan
from tests.recorded import rows

ROWS = rows("triton_gemm")
BYTES = {"fp16": ("float16", 2), "bf16": ("bfloat16", 2), "fp8e5": ("float8_e5m2", 1), "fp32": ("float32", 4)}


def product(row: dict[str, Any], extra: str = "") -> str:
    """The product as a program: right operand stored by rows of K, a conversion's scratch after the loop."""
    m, n, k = row["block"]
    dtype, _ = BYTES[row["dtype"]]
    return f"""\
smemdsl: 1
name: product
target: triton:{row["target"]}
threads: {32 * row["num_warps"]}
buffers:
  A: {{shape: [{m}, {k}], dtype: {dtype}}}
  B: {{shape: [{k}, {n}], dtype: {dtype}}}
  scratch: {{bytes: {row["scratch"]}, align: 128}}
program:
  - loop: k
    extent: 64
    num_stages: {row["num_stages"]}
    body:
      - copy: [A, B]
      - gemm: {{a: A, b: B, m: {m}, n: {n}, k: {k}}}
  - compute: {{writes: [scratch]}}
{extra}"""


def plan(text: str) -> ArenaPlan:
    """The arena of a scenario as it stands."""
    return loads(text).plan()


def label(row: dict[str, Any]) -> str:
    """A configuration in short."""
    tile = "x".join(map(str, row["block"]))
    return f"{row['target']} {tile} {row['dtype']} {row['num_stages']} stages {row['num_warps']} warps"


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_as_compiled(row: dict[str, Any]) -> None:
    """Size, alignment and offset of both operands, the barriers and the total are the compiler's."""
    found = plan(product(row))
    offsets = dict(zip((b.name for b in found.lowered.buffers), found.packing.offsets, strict=True))
    buffers = {b.name: [b.bytes, b.align, offsets[b.name]] for b in found.lowered.buffers}
    assert buffers["A"] == row["a"]
    assert buffers["B"] == row["b"]
    assert buffers.get("mma_barriers", [0])[0] == row["barriers"]
    assert found.packing.arena == row["total"]
    assert found.policy == "triton"


def test_table() -> None:
    """At least 40 configurations, on every kind of matrix instruction."""
    assert len(ROWS) >= 40
    assert {row["target"] for row in ROWS} == {"sm_80", "sm_86", "sm_90", "sm_100", "sm_120"}


@pytest.mark.parametrize(
    ("target", "block", "num_stages", "num_warps", "total"),
    [
        ("sm_80", (128, 256, 64), 3, 8, 98304),
        ("sm_90", (128, 256, 64), 3, 8, 147456),
        ("sm_100", (128, 256, 64), 3, 8, 147472),
        ("sm_80", (128, 128, 32), 4, 4, 49152),
        ("sm_90", (128, 128, 32), 4, 4, 65536),
        ("sm_100", (128, 128, 32), 4, 4, 65552),
    ],
)
def test_known_totals(
    target: str, block: tuple[int, int, int], num_stages: int, num_warps: int, total: int
) -> None:
    """The totals that were measured before the rules were written."""
    row = {
        "target": target, "block": block, "num_stages": num_stages, "num_warps": num_warps,
        "dtype": "fp16", "scratch": 512,
    }  # fmt: skip
    assert plan(product(row)).packing.arena == total


def test_attention() -> None:
    """Keys and values are pipelined alike, the query is not: the totals of the kernel in `tests/oracle`."""
    text = """\
smemdsl: 1
target: triton:{target}
threads: 128
buffers:
  Q: {{shape: [128, 64], dtype: float16}}
  K: {{shape: [64, 64], dtype: float16}}
  V: {{shape: [64, 64], dtype: float16}}
program:
  - copy: Q
  - loop: k
    extent: 16
    num_stages: 3
    body:
      - copy: K
      - gemm: {{a: Q, b: K, m: 128, n: 64, k: 64, trans_b: true}}
      - copy: V
      - gemm: {{b: V, m: 128, n: 64, k: 64}}
"""
    totals = {
        target: plan(text.format(target=target)).packing.arena for target in ("sm_80", "sm_90", "sm_120")
    }
    assert totals == {"sm_80": 49152, "sm_90": 65536, "sm_120": 49152}


@pytest.mark.parametrize("target", ["triton:sm_75", "triton:gfx942", "triton:90", "triton:sm_9"])
def test_targets_without_rules(target: str) -> None:
    """A target that was never measured is refused, with those that were."""
    text = product(ROWS[0]).replace(f"triton:{ROWS[0]['target']}", target) + "budget: 100 KiB\n"
    with pytest.raises(ScenarioError, match=r"no rules for target|unknown device"):
        plan(text)


def test_warps_must_be_known() -> None:
    """Without `threads` the matrix instruction is not known."""
    text = product(ROWS[0]).replace("threads:", "registers: 32 #")
    with pytest.raises(ScenarioError, match="threads"):
        plan(text)


def test_budget_is_the_target() -> None:
    """Without a budget, the target's limit for a block counts, as with TileLang."""
    assert loads(product(ROWS[0])).check().budget.name == "sm_80"
