"""Rows of `tests/data/triton_results.jsonl`: products and attention that Triton compiled, as programs.

Nothing but what a kernel's author knows goes in: tiles, types, warps, stages, how operands are stored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]
DTYPES = {
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp8e5": "float8_e5m2",
    "fp32": "float32",
    "i8": "int8",
    "i32": "int32",
}
PATH = Path(__file__).parent.parent / "data" / "triton_results.jsonl"


def rows() -> list[Row]:
    """Every configuration of the table."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]


def label(row: Row) -> str:
    """A configuration in short."""
    tile, turned = "x".join(map(str, row["block"])), "".join("NT"[row[f"trans_{name}"]] for name in "abc")
    precision = row["input_precision"] if row["dtype"] == "fp32" else ""
    return (
        f"{row['target']} {row['kernel']} {tile} {turned} {row['dtype']}{precision} to {row['stored']} "
        f"s{row['num_stages']} w{row['num_warps']}"
    )


def program(row: Row) -> str:
    """A configuration as a scenario."""
    buffers, head, body = attention(row) if row["kernel"] == "attention" else product(row)
    trans = ", trans: true" if row["trans_c"] else ""
    lines = [
        "smemdsl: 1",
        f"target: triton:{row['target']}",
        f"threads: {32 * row['num_warps']}",
        "buffers:",
        *(f"  {name}: {{shape: {shape}, dtype: {DTYPES[row['dtype']]}}}" for name, shape in buffers.items()),
        "program:",
        *(f"  - {line}" for line in head),
        f"  - {{loop: k, extent: 64, num_stages: {row['num_stages']}, body: [{', '.join(body)}]}}",
        f"  - store: {{dtype: {DTYPES[row['stored']]}{trans}}}",
    ]
    return "\n".join([*lines, ""])


Parts = tuple[dict[str, list[int]], list[str], list[str]]
"""Buffers with shapes, statements before the loop, statements in it."""


def product(row: Row) -> Parts:
    """A product of tiles that are loaded by pointers."""
    m, n, k = row["block"]
    left, right = [k, m] if row["trans_a"] else [m, k], [n, k] if row["trans_b"] else [k, n]
    flags = "".join(f", {name}: true" for name in ("trans_a", "trans_b") if row[name])
    if row["dtype"] == "fp32":
        flags += f", input_precision: {row['input_precision']}"
    gemm = f"{{gemm: {{a: A, b: B, m: {m}, n: {n}, k: {k}{flags}}}}}"
    return {"A": left, "B": right}, [], ["{copy: A}", "{copy: B}", gemm]


def attention(row: Row) -> Parts:
    """Flash attention, forward."""
    m, n, d = row["block"]
    body = [
        "{copy: K}",
        f"{{gemm: {{a: Q, b: K, m: {m}, n: {n}, k: {d}, trans_b: true}}}}",
        "{copy: V}",
        f"{{gemm: {{b: V, m: {m}, n: {d}, k: {n}}}}}",
    ]
    return {"Q": [m, d], "K": [n, d], "V": [n, d]}, ["copy: Q"], body
