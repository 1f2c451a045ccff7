"""Numbers and names of any size take bounded work: a verdict or an error, and no memory to speak of."""

from __future__ import annotations

import tracemalloc

import pytest

from smemdsl import ScenarioError, loads
from smemdsl.judging.plan import Options

GEMM = """\
smemdsl: 1
target: sm_90a
threads: {threads}
buffers: {{A: {{shape: [128, 64], dtype: float16}}, B: {{shape: [64, 256], dtype: float16}}}}
program:
  - loop: k
    extent: 8
    num_stages: 2
    body: [{{copy: [A, B]}}, {{gemm: {{a: A, b: B, m: 128, n: 256, k: 64}}}}]
"""
ALIGNED = """\
smemdsl: 1
buffers:
  A: {{bytes: 256, align: {align}}}
  B: {{bytes: 8192}}
  C: {{bytes: 128, align: 1024}}
"""


@pytest.mark.parametrize("threads", [2**31, 2**35, 2**62])
def test_far_too_many_threads_are_an_error(threads: int) -> None:
    with pytest.raises(ScenarioError, match=f"`threads` is {threads}, but must be at most 65536"):
        loads(GEMM.format(threads=threads)).check()


def test_as_many_threads_as_are_judged_are_no_error() -> None:
    assert loads(GEMM.format(threads=65536)).check().arena_bytes == 2 * (128 * 64 + 64 * 256) * 2


@pytest.mark.parametrize("align", ["2**20", "2**40", "2**62"])
def test_an_alignment_costs_no_memory(align: str) -> None:
    tracemalloc.start()
    verdict = loads(ALIGNED.format(align=align)).check(policy="optimal")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.proved
    assert verdict.arena_bytes == 256 + 768 + 128 + 8192  # A at 0, C at 1024, B at the next 128
    assert most < 32 << 20


def ragged(aligns: tuple[int, ...], many: int) -> str:
    """Buffers that are all live together, of sizes that no alignment divides."""
    buffers = "".join(
        f"  b{index}: {{bytes: {100 + 36 * index}, align: {aligns[index % len(aligns)]}}}\n"
        for index in range(many)
    )
    return f"smemdsl: 1\nbuffers:\n{buffers}"


@pytest.mark.parametrize("many", [3, 8, 24])
@pytest.mark.parametrize("aligns", [(4, 16, 2**30), (4, 2**20, 2**40), (4, 64, 2**62), (4, 16, 2**15)])
def test_ragged_sizes_beside_an_alignment_cost_no_memory(aligns: tuple[int, ...], many: int) -> None:
    scenario = loads(ragged(aligns, many))
    tracemalloc.start()
    plan = scenario.plan(Options(policy="optimal", time_limit=0.2))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert plan.peak.bytes <= plan.packing.arena <= scenario.check(policy="struct").arena_bytes
    assert most < 64 << 20


def test_names_without_number_get_no_hint_each() -> None:
    names = ", ".join(f"p{i}: {i}" for i in range(450))
    buffers = ", ".join(f"b{i}: {{bytes: pp{i}}}" for i in range(100))
    with pytest.raises(ScenarioError) as caught:
        loads(f"smemdsl: 1\nparams: {{{names}}}\nbuffers: {{{buffers}}}\n").check()
    assert len(caught.value.diagnostics) == 100
    assert not any("did you mean p" in each.hint for each in caught.value.diagnostics)
