"""The scenarios of Triton kernels say what Triton 3.9.0 does, in every configuration that was recorded.

A buffer of `triton.jsonl` is [name, bytes, align, start, end, offset].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from smemdsl.judging.plan import ArenaPlan
from tests.shipped import FILES, Row, load, rows

Params = dict[str, Any]
DTYPES = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp8e5": "float8_e5m2"}


def _same(row: Row, *names: str) -> Params:
    return {name: row["params"][name] for name in names}


def _scratch(row: Row, index: int = -1) -> int:
    """Bytes of a scratch space: it depends on register layouts, which no scenario knows."""
    return int(row["buffers"][index][1])


def _matmul(row: Row) -> Params:
    tile = {f"BLOCK_{axis}": row["params"][f"BLOCK_SIZE_{axis}"] for axis in "MNK"}
    dtype = DTYPES[row["kernel"].removeprefix("t03_matmul_")]
    return tile | _same(row, "num_warps", "num_stages") | {"dtype": dtype, "epilogue_scratch": _scratch(row)}


def _block_fp8(row: Row) -> Params:
    tile = {f"BLOCK_{axis}": row["params"][f"BLOCK_SIZE_{axis}"] for axis in "MNK"}
    return tile | _same(row, "num_warps", "num_stages") | {"epilogue_scratch": _scratch(row)}


def _attention_sm90(row: Row) -> Params:
    names = ("HEAD_DIM", "BLOCK_M", "BLOCK_N", "num_warps", "num_stages")
    return _same(row, *names) | {"causal": row["params"]["STAGE"] == 3}


def _attention_sm80(row: Row) -> Params:
    return _attention_sm90(row) | {"out_scratch": _scratch(row)}


def _chunk_o_sm90(row: Row) -> Params:
    return _same(row, "BT", "BK", "BV", "num_warps", "num_stages")


def _chunk_o_sm80(row: Row) -> Params:
    return _chunk_o_sm90(row) | {"out_scratch": _scratch(row), "scores_scratch": _scratch(row, -2)}


def _paged_decode(row: Row) -> Params:
    names = ("BLOCK_DMODEL", "BLOCK_DMODEL1", "BLOCK_DV", "BLOCK_H", "BLOCK_N", "num_warps", "num_stages")
    return _same(row, *names) | {"out_scratch": _scratch(row)}


def _extend_attention(row: Row) -> Params:
    names = ("BLOCK_DMODEL", "BLOCK_DPE", "BLOCK_DV", "BLOCK_M", "BLOCK_N", "num_warps")
    return _same(row, *names) | {"out_scratch": _scratch(row)}


class Kernel(NamedTuple):
    """Which recorded allocations a scenario claims to reproduce."""

    scenario: str
    kernel: str
    archs: tuple[str, ...]
    params: Callable[[Row], Params]
    allocations: int
    """How many it covers; the rest break its constraints."""


EVERY = ("sm_80", "sm_90", "sm_100", "sm_120")
TRITON = (
    Kernel("attention_fwd_sm80", "t06_attn_fwd", ("sm_80",), _attention_sm80, 16),
    Kernel("attention_fwd_sm90", "t06_attn_fwd", ("sm_90",), _attention_sm90, 18),
    Kernel("block_fp8_gemm_sm90", "sg_w8a8_block_fp8", ("sm_90",), _block_fp8, 2),
    Kernel("chunk_o_sm80", "fla_chunk_o", ("sm_80",), _chunk_o_sm80, 3),
    Kernel("chunk_o_sm90", "fla_chunk_o", ("sm_90",), _chunk_o_sm90, 2),
    Kernel("extend_attention_sm90", "sg_extend_attn", ("sm_90",), _extend_attention, 3),
    Kernel("layer_norm_bwd_dx", "t05_ln_bwd_dx", EVERY, lambda row: _same(row, "num_warps"), 8),
    Kernel("matmul_sm80", "t03_matmul", ("sm_80",), _matmul, 36),
    Kernel("matmul_sm90", "t03_matmul", ("sm_90",), _matmul, 28),
    Kernel("paged_decode", "lmdeploy_paged_decode", EVERY, _paged_decode, 8),
    Kernel(
        "softmax", "t02_softmax", EVERY, lambda row: _same(row, "BLOCK_SIZE", "num_stages", "num_warps"), 24
    ),
)


def covered(kernel: Kernel) -> Iterator[tuple[ArenaPlan, Row]]:
    """The recorded allocations that hold a scenario's constraints, each with the scenario's plan."""
    scenario = load(f"triton/{kernel.scenario}")
    for row in rows("triton"):
        pipelined = row["params"].get("num_stages") != 1 or kernel.scenario == "extend_attention_sm90"
        if row["kernel"].startswith(kernel.kernel) and row["arch"] in kernel.archs and pipelined:
            plan = scenario.plan(**kernel.params(row))
            if not plan.violated:
                yield plan, row


def test_triton_scenarios_are_all_covered() -> None:
    """No scenario of a Triton kernel goes unchecked."""
    assert {f"triton/{k.scenario}" for k in TRITON} == {n for n in FILES if n.startswith("triton/")}


@pytest.mark.parametrize("kernel", TRITON, ids=[kernel.scenario for kernel in TRITON])
def test_triton_allocations(kernel: Kernel) -> None:
    """Sizes, alignments, offsets and arena are the compiler's, in every configuration that was recorded."""
    pairs = list(covered(kernel))
    for plan, row in pairs:
        buffers = zip(plan.lowered.buffers, plan.packing.offsets, strict=True)
        recorded = [(size, align, offset) for _, size, align, _, _, offset in row["buffers"]]
        assert [(b.bytes, b.align, offset) for b, offset in buffers] == recorded, row["id"]
        assert (plan.packing.arena, plan.policy) == (row["total"], "triton"), row["id"]
    assert len(pairs) == kernel.allocations


@pytest.mark.parametrize("kernel", TRITON, ids=[kernel.scenario for kernel in TRITON])
def test_triton_scenario_stands_on_a_recorded_configuration(kernel: Kernel) -> None:
    """The file's own values are one of the configurations that were recorded."""
    own = load(f"triton/{kernel.scenario}").plan()
    assert any(plan.params == own.params for plan, _ in covered(kernel))
