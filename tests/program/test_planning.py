"""Planning and versions against the arrays that TileLang 0.1.15 computed for public kernels."""

from __future__ import annotations

from typing import Any

import pytest

import smemdsl
from smemdsl.compilers.tilelang.rules.multi_version_buffer import planned_versions, versions
from smemdsl.compilers.tilelang.rules.pipeline_planning import Plan, Step, plan
from smemdsl.core.errors import FaultError
from smemdsl.program.statements import Copy, Gemm, Loop
from tests.recorded import rows

LOOPS = [pytest.param(case, id=f"{case['id']}-{i}") for i, case in enumerate(rows("tilelang_loops"))]
COPY_A, COPY_B = Step((), ("A",), copy=True), Step((), ("B",), copy=True)
USE_AB = Step(("A", "B"), (), copy=False)


def steps_of(case: dict[str, Any]) -> list[Step]:
    """The statements of a recorded loop."""
    return [Step(tuple(reads), tuple(writes), bool(copy)) for reads, writes, copy in case["statements"]]


@pytest.mark.parametrize("case", LOOPS)
def test_stages_and_order_are_the_compilers(case: dict[str, Any]) -> None:
    """PipelinePlanning's two arrays, of every recorded loop."""
    planned = plan(steps_of(case), case["num_stages"])
    assert (list(planned.stages), list(planned.order)) == (case["stage"], case["order"])


@pytest.mark.parametrize("case", LOOPS)
def test_versions_are_the_compilers(case: dict[str, Any]) -> None:
    """The copies of each buffer after pipelining, of every recorded loop."""
    steps = steps_of(case)
    found = versions(steps, plan(steps, case["num_stages"]))
    assert {name: found.get(name, 1) for name in case["versions"]} == case["versions"]


@pytest.mark.parametrize("num_stages", range(2, 6))
def test_a_plain_gemm_rotates(num_stages: int) -> None:
    """Two copies and their reader become [0, 0, num_stages - 1], with num_stages versions."""
    planned = plan([COPY_A, COPY_B, USE_AB], num_stages)
    assert planned == Plan((0, 0, num_stages - 1), (0, 1, 2))
    assert versions([COPY_A, COPY_B, USE_AB], planned) == {"A": num_stages, "B": num_stages}


def test_what_feeds_a_copy_is_in_the_first_stage() -> None:
    """A statement that writes what a copy reads goes with the copy, if a later statement reads it too."""
    steps = [
        Step((), ("index",), copy=False),
        Step(("index",), ("A",), copy=True),
        Step(("A", "index"), (), copy=False),
    ]
    assert plan(steps, 3).stages == (0, 0, 2)


def test_a_copy_read_last_by_a_copy_cannot_be_planned() -> None:
    """The compiler gives up on it; so do the rules, with a code and the place."""
    steps = [
        Step((), ("index",), copy=False),
        Step(("index",), ("A",), copy=True),
        Step(("A",), (), copy=False),
    ]
    with pytest.raises(FaultError) as error:
        plan(steps, 2, ("program", 0))
    assert [(fault.code, fault.where) for fault in error.value.faults] == [("unplannable", ("program", 0))]


def test_why_there_is_a_version_less() -> None:
    """As many versions as stages, unless the fill is ordered after the last read: the reason says so."""
    loop = Loop("k", 8, (Copy("A"), Copy("B"), Gemm("A", "B")), 0, 3)
    stages = "filled and read across stages 0 to 2 of loop k"
    less = ", less one as the fill is ordered after the last read"
    for order, why in (((0, 1, 2), f"{stages}: 3 versions"), ((1, 2, 0), f"{stages}{less}: 2 versions")):
        found = planned_versions(loop, Plan((0, 0, 2), order))
        assert {name: each.why.text for name, each in found.items()} == {"A": why, "B": why}


def test_several_writers_count_from_the_earliest() -> None:
    """A copy in stage 0 and a copy in stage 2 that are read in stage 2: 2 - 0 + 1 versions, not 2 - 2 + 1."""
    filled, used = Step((), ("A",), copy=True), Step(("A",), (), copy=False)
    planned = Plan((0, 2, 2), (0, 1, 2))
    assert versions([filled, filled, used], planned) == {"A": 3}
    loop = Loop("k", 16, (Copy("A"), Copy("A"), Gemm("A", "A")), 0, 3)
    found = planned_versions(loop, planned)
    assert found["A"].why.text == "filled and read across stages 0 to 2 of loop k: 3 versions"


SEVERAL_WRITERS = """\
smemdsl: 1
buffers:
  A: {shape: [128, 64], dtype: bfloat16, align: 128}
  B: {shape: [64, 32], dtype: bfloat16, align: 128}
program:
  - loop: k
    extent: 16
    num_stages: 3
    body:
      - compute: {writes: [A]}
      - loop: j
        extent: 4
        body: [copy: B, copy: A, {reduce: {reads: A}}, copy: A]
      - copy: {to: A, tma: true}
      - gemm: {a: A, b: A, m: 64, n: 64, k: 64}
target: sm_80
threads: 384
"""


def test_a_kernel_with_several_writers_of_a_tile() -> None:
    """Three versions of 16384 B, 4096 B and one workspace of 4 B a thread: 54784 B, as the compiler packs."""
    assert smemdsl.loads(SEVERAL_WRITERS).plan().packing.arena == 3 * 16384 + 4096 + 4 * 384
