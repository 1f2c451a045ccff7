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


@pytest.mark.parametrize("target", ["triton:sm_70", "triton:gfx942", "triton:90", "triton:sm_9"])
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


EPILOGUE = """\
smemdsl: 1
target: triton:sm_80
threads: 256
buffers:
  a: {shape: [128, 32], dtype: float16}
  b: {shape: [32, 256], dtype: float16}
program:
  - loop: k
    extent: 64
    num_stages: 2
    body:
      - copy: [a, b]
      - gemm: {a: a, b: b, m: 128, n: 256, k: 32}
"""
"""Of a kernel whose float32 result is stored as it is, the compiler takes 32768 B; as float16, 24576 B."""
FLOAT32 = EPILOGUE.replace("float16", "float32").replace("sm_80", "sm_90").replace("256]", "128]")


def judged(text: str) -> tuple[int, str]:
    """The arena, and how sure it is."""
    found = plan(text)
    return found.packing.arena, found.confidence


def test_the_store_of_a_result() -> None:
    """Without its store the arena is a lower bound; with it, what the compiler takes."""
    assert judged(EPILOGUE) == (24576, "bound")
    assert judged(f"{EPILOGUE}  - store: {{dtype: float32}}\n") == (32768, "exact")
    assert judged(f"{EPILOGUE}  - store: {{dtype: float16}}\n") == (24576, "exact")


@pytest.mark.parametrize(("precision", "arena"), [("tf32", 393216), ("ieee", 294912)])
def test_float32_without_tf32(precision: str, arena: int) -> None:
    """The kernel of 64x128x128 with four stages on sm_90: plain arithmetic keeps one copy fewer."""
    text = f"""\
smemdsl: 1
target: triton:sm_90
threads: 128
buffers: {{a: {{shape: [64, 128], dtype: float32}}, b: {{shape: [128, 128], dtype: float32}}}}
program:
  - loop: k
    extent: 64
    num_stages: 4
    body: [{{copy: [a, b]}}, {{gemm: {{a: a, b: b, m: 64, n: 128, k: 128, input_precision: {precision}}}}}]
  - store: {{dtype: float32}}
"""
    assert judged(text) == (arena, "exact")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("m: 128, n: 256", "m: 128", "`m` and `n`"),
        ("copy: [a, b]", "reduce: {reads: [a]}", "reductions"),
        ("m: 128, n: 256", "m: 96, n: 256", "powers of two"),
        ("      - gemm", "      - gemm: {a: a, b: b, m: 128, n: 256, k: 32}\n      - gemm", "several gemms"),
    ],
)
def test_what_is_not_known_is_a_bound(old: str, new: str, reason: str) -> None:
    """A store whose layouts have no rule leaves a lower bound, with the reason."""
    new = f"copy: [a, b]\n      - {new}" if new.startswith("reduce") else new
    found = plan(EPILOGUE.replace(old, new, 1) + "  - store: {dtype: float16}\n")
    assert found.confidence == "bound"
    assert any(reason in item.reason for item in found.uncertain)


def refused(text: str) -> tuple[str, str]:
    """Code and message of the one error of a scenario."""
    with pytest.raises(ScenarioError) as caught:
        loads(text).plan()
    (fault,) = caught.value.diagnostics
    return fault.code, fault.message


def test_copies_after_the_last_use() -> None:
    """A value that is loaded after its last use is in no kernel: in the loop, after it, by a descriptor."""
    after = f"{EPILOGUE}  - copy: {{to: b, tma: true}}\n".replace("sm_80", "sm_90")
    assert refused(after) == ("copy-after-use", "'b' is copied after the last statement that reads it")
    lines = EPILOGUE.splitlines()
    inside = "\n".join([*lines[:-2], lines[-1], "      - copy: [a]", "      - copy: b", ""])
    with pytest.raises(ScenarioError) as caught:
        loads(inside).plan()
    assert {fault.code for fault in caught.value.diagnostics} == {"copy-after-use"}


def test_a_store_before_any_gemm() -> None:
    """There is no result yet."""
    text = EPILOGUE.replace("program:\n", "program:\n  - store: {dtype: float16}\n")
    assert refused(text)[0] == "read-before-write"


@pytest.mark.parametrize("store", ["{tma: true}", "{from: a, dtype: float16}"])
def test_a_store_needs_a_source(store: str) -> None:
    """A buffer or a result, and not both."""
    assert refused(f"{EPILOGUE}  - store: {store}\n")[0] == "statement"


@pytest.mark.parametrize(
    ("target", "old", "new", "key"),
    [
        ("triton:sm_90", "k: 32}", "k: 32, mma: mma}", "mma"),
        ("triton:sm_90", "k: 32}", "k: 32, policy: full_row}", "policy"),
        ("triton:sm_90", "k: 32}", "k: 32, e: b}", "e"),
        ("triton:sm_90", "copy: [a, b]", "copy: {to: a, bulk: true}", "bulk"),
        ("triton:sm_90", "copy: [a, b]", "reduce: {cross_warp: true}", "cross_warp"),
        ("triton:sm_90", "copy: [a, b]", "compute: {nest: true}", "nest"),
        ("triton:sm_90", "copy: [a, b]", "if: [{compute: {global: true}}]", "global"),
        ("triton:sm_90", "copy: [a, b]", "atomic_add: {from: a, tma: true}", "tma"),
        ("triton:sm_90", "threads: 256", "threads: 256\noptions: {tma: false}", "tma"),
        ("triton:sm_90", "32], dtype: float16", "32], dtype: float16, layout: annotated", "layout"),
        ("sm_90", "k: 32}", "k: 32, input_precision: ieee}", "input_precision"),
        ("sm_90", "copy: [a, b]", "store: {dtype: float16}", "dtype"),
    ],
)
def test_a_key_of_the_other_compiler(target: str, old: str, new: str, key: str) -> None:
    """It is an error that names the target, not silence."""
    text = EPILOGUE.replace(old, new, 1).replace("triton:sm_80", target)
    code, message = refused(text)
    other = "Triton" if target == "sm_90" else "TileLang"
    assert (code, message) == (
        "meaningless-key",
        f"`{key}` means nothing for target '{target}': it is {other}'s",
    )


@pytest.mark.parametrize(
    ("target", "way"),
    [("gfx950", "`buffers` with `live`"), ("gfx942", "`buffers` with `live`"), ("sm_70", "capture triton")],
)
def test_a_target_without_rules_says_what_to_do(target: str, way: str) -> None:
    """AMD's targets, and those that Triton's rules were not measured on."""
    with pytest.raises(ScenarioError) as caught:
        loads(EPILOGUE.replace("triton:sm_80", f"triton:{target}")).plan()
    assert way in caught.value.diagnostics[0].hint
