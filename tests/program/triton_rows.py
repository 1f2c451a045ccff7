"""Rows of `tests/data/triton_programs.jsonl`: what Triton compiled, as programs."""

from __future__ import annotations

from tests.recorded import Row, rows

DTYPES = {
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp8e5": "float8_e5m2",
    "fp8e4nv": "float8_e4m3fn",
    "fp32": "float32",
    "i8": "int8",
}
ROWS = rows("triton_programs")
"""Every configuration of the table."""


def label(row: Row) -> str:
    """A configuration in short."""
    tile, turned = "x".join(map(str, row["block"])), "T" * row["trans_a"] + "N" * row["trans_b"]
    return (
        f"{row['target']} {row['kernel']} {row['by']} {tile}{turned} {row['dtype']} "
        f"s{row['num_stages']} w{row['num_warps']} g{row['gemms']}"
    )


def program(row: Row) -> str:
    """A configuration as a scenario; scratch is declared where Triton has it, for no rule tells its size."""
    buffers, head, body = attention(row) if row["kernel"] == "attention" else product(row)
    tail: list[str] = []
    for number, size in enumerate(row["scratch_in_loop"]):
        buffers.append(f"inner{number}: {{bytes: {size}, align: 128}}")
        body.append(f"- compute: {{writes: [inner{number}]}}")
    if row["store"]:
        rows_, columns, dtype = row["store"]
        buffers.append(f"C: {{shape: [{rows_}, {columns}], dtype: {dtype}}}")
        tail += ["- compute: {writes: [C]}", "- store: {from: C, tma: true}"]
    for number, size in enumerate(row["scratch"]):
        buffers.append(f"scratch{number}: {{bytes: {size}, align: 128}}")
        tail.append(f"- compute: {{writes: [scratch{number}]}}")
    loop = ["- loop: k", "  extent: 64", f"  num_stages: {row['num_stages']}", "  body:"]
    lines = [
        "smemdsl: 1",
        f"target: triton:{row['target']}",
        f"threads: {32 * row['num_warps']}",
        "buffers:",
        *(f"  {line}" for line in buffers),
        "program:",
        *(f"  {line}" for line in [*head, *loop, *(f"    {line}" for line in body), *tail]),
    ]
    return "\n".join([*lines, ""])


Parts = tuple[list[str], list[str], list[str]]
"""Buffers, statements before the loop, statements in it."""


def product(row: Row) -> Parts:
    """A product of tiles; `apart`: its left operand is transposed before the right one is copied."""
    m, n, k = row["block"]
    left, right = [k, m] if row["trans_a"] else [m, k], [n, k] if row["trans_b"] else [k, n]
    turned = f"trans_a: {flag(row['trans_a'])}, trans_b: {flag(row['trans_b'])}"
    apart = ["- compute: {reads: [A]}"] if row["apart"] else []
    gemm = f"- gemm: {{a: A, b: B, m: {m}, n: {n}, k: {k}, {turned}}}"
    buffers = [tile(row, "A", left), tile(row, "B", right)]
    return buffers, [], [copy(row, "A"), *apart, copy(row, "B"), *[gemm] * row["gemms"]]


def attention(row: Row) -> Parts:
    """Flash attention, forward."""
    m, n, d = row["block"]
    body = [
        copy(row, "K"),
        f"- gemm: {{a: Q, b: K, m: {m}, n: {n}, k: {d}, trans_b: true}}",
        copy(row, "V"),
        f"- gemm: {{b: V, m: {m}, n: {d}, k: {n}}}",
    ]
    return [tile(row, "Q", [m, d]), tile(row, "K", [n, d]), tile(row, "V", [n, d])], [copy(row, "Q")], body


def tile(row: Row, name: str, shape: list[int]) -> str:
    """The declaration of a tile."""
    return f"{name}: {{shape: {shape}, dtype: {DTYPES[row['dtype']]}}}"


def copy(row: Row, name: str) -> str:
    """The copy of a tile from global memory."""
    return f"- copy: {{to: {name}, tma: {flag(row['by'] == 'descriptors')}}}"


def flag(value: bool) -> str:
    """A truth value in YAML."""
    return str(value).lower()
