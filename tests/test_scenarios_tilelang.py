"""The scenarios of TileLang kernels say what TileLang 0.1.15 does.

`tilelang_plans.jsonl` are its plans; a buffer is [name, bytes, align, start, end, offset].
`scenario_points.jsonl` is the same compiler on the same kernels with other parameters: threads of the launch,
arena, static bytes, and the offset of every buffer.
"""

from __future__ import annotations

import pytest

import smemdsl
from smemdsl.judging.plan import ArenaPlan
from tests.shipped import FILES, Row, load, rows

TILELANG = {
    "dequant_gemm_int4_sm80": "6fd0d231343f_sm_80_base",
    "dequant_gemm_int4_sm90": "6fd0d231343f_sm_90a_base",
    "dequant_gemm_mxfp4_sm80": "0b26ce7d1498_sm_80_base",
    "flashmla_ws_sm90": "cef8a1e53926_sm_90a_base",
    "fp8_gemm_2xacc_sm80": "00632a107cf0_sm_80_base",
    "fp8_gemm_2xacc_sm90": "00632a107cf0_sm_90a_base",
    "fp8_quant_sm80": "66512539ef74_sm_80_base",
    "gdn_chunk_delta_h_sm80": "6524a324d8d4_sm_80_base",
    "gdn_chunk_delta_h_sm90": "6524a324d8d4_sm_90a_base",
    "gdn_wy_fast_sm80": "c9ac4a8da15f_sm_80_base",
    "gdn_wy_fast_sm90": "c9ac4a8da15f_sm_90a_base",
    "gemm_persistent_aggressive_sm90": "8783a6514b06_sm_90a_aggr",
    "gemm_persistent_sm90": "8783a6514b06_sm_90a_base",
    "gemm_splitk_sm80": "a424a4fcab70_sm_80_base",
    "gemm_staged_sm80": "02cea31b1823_sm_80_base",
    "gemm_staged_sm90": "02cea31b1823_sm_90a_base",
    "gemm_streamk_sm80": "3d025a37be26_sm_80_base",
    "gqa_bwd_atomic_add_aggressive_sm90": "439321794136_sm_90a_aggr",
    "gqa_bwd_atomic_add_sm80": "439321794136_sm_80_base",
    "gqa_bwd_atomic_add_sm90": "439321794136_sm_90a_base",
    "gqa_decode_varlen_sm80": "8011ae103ea1_sm_80_base",
    "gqa_decode_varlen_sm90": "8011ae103ea1_sm_90a_base",
    "grouped_gemm_sm80": "16c0f0535669_sm_80_base",
    "grouped_gemm_sm90": "16c0f0535669_sm_90a_base",
    "mamba_chunk_scan_sm90": "25324e9f9583_sm_90a_base",
    "mha_bwd_aggressive_sm90": "309e3bcf4619_sm_90a_aggr",
    "mha_bwd_sm90": "309e3bcf4619_sm_90a_base",
    "mha_fwd_sm90": "5edb9081101f_sm_90a_base",
    "mha_sink_fwd_sm80": "a2fcccda5bb8_sm_80_base",
    "nsa_fwd_sm80": "211e1488846c_sm_80_base",
    "sparse_mla_fwd_sm90": "20f0ae11337c_sm_90a_base",
}
"""The plan of the compiler that each scenario states, by the plan's id."""


def offsets(plan: ArenaPlan) -> dict[str, int]:
    """Where each buffer starts."""
    return dict(zip((b.name for b in plan.lowered.buffers), plan.packing.offsets, strict=True))


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("tilelang/")])
def test_tilelang_plan(name: str) -> None:
    """Offsets, alignments, sizes, arena and static bytes are those of the recorded plan; none is left out."""
    found = {row["id"]: row for row in rows("tilelang_plans")}[TILELANG[name.removeprefix("tilelang/")]]
    plan = load(name).plan()
    recorded = {buffer[0]: (buffer[1], buffer[2], buffer[5]) for buffer in found["buffers"]}
    places = offsets(plan)
    assert {b.name: (b.bytes, b.align, places[b.name]) for b in plan.lowered.buffers} == recorded
    assert (plan.packing.arena, plan.lowered.static_bytes) == (found["total"], found["static"])
    assert (name.endswith("sm90"), plan.policy) == (found["arch"] == "sm_90a", "tilelang")


POINTS = rows("scenario_points")


@pytest.mark.parametrize("point", POINTS, ids=[f"{p['file']}-{p['params']}" for p in POINTS])
def test_tilelang_plan_with_other_parameters(point: Row) -> None:
    """With other parameters, too, a scenario says what the compiler does, threads of the launch included."""
    plan = load(point["file"]).plan(**point["params"])
    assert not plan.violated
    assert offsets(plan) == point["offsets"]
    assert (plan.packing.arena, plan.lowered.static_bytes) == (point["total"], point["static"])
    assert plan.env["threads"] == point["threads"]


def test_aggressive_merge_costs_what_the_comment_says() -> None:
    """One small buffer in the way: 188416 B, where 124160 B would do and the default plan takes 132352 B."""
    scenario = load("tilelang/gqa_bwd_atomic_add_aggressive_sm90")
    assert scenario.plan().packing.arena == 188416
    assert scenario.plan(smemdsl.Options(policy="firstfit")).packing.arena == 124160
    assert load("tilelang/gqa_bwd_atomic_add_sm90").plan().packing.arena == 132352
