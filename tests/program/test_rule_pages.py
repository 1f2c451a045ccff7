"""Every rule that `pack --explain` prints has a page, and every page a kernel that takes the rule."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

import smemdsl
from smemdsl.compilers.rule_pages import RULES
from smemdsl.judging.explain import reasons
from tests.commands.running import run

UNPRINTED = {"pipeline-planning/stages"}
"""What decides about a whole loop and not about one value: `loops` in json shows it."""
_BUFFERS = """
  a: {shape: [128, 64], dtype: DTYPE}
  b: {shape: [64, 128], dtype: DTYPE}
  c: {shape: [128, 128], dtype: float16}"""
_GEMM = """
smemdsl: 1
target: TARGET
threads: 128
buffers: BUFFERS
program:
  - loop: k
    extent: 8
    num_stages: 3
    body:
      - copy: {to: a, tma: TMA}
      - copy: {to: b, tma: TMA}
      - gemm: {a: a, b: b, m: 128, n: 128, k: 64, trans_a: TRANS}
  - compute: {writes: [c]}
  - store: c
"""


def gemm(target: str, dtype: str = "float16", *, tma: bool = False, trans_a: bool = False) -> str:
    """A GEMM with three stages."""
    text = _GEMM.replace("BUFFERS", _BUFFERS).replace("DTYPE", dtype).replace("TARGET", target)
    shape = text.replace("[128, 64]", "[64, 128]") if trans_a else text
    return shape.replace("TMA", str(tma).lower()).replace("TRANS", str(trans_a).lower())


def rules_of(text: str) -> set[str]:
    """The rules that gave the values of a scenario."""
    return {reason.rule for reason in reasons(smemdsl.loads(text).check().plan)}


CONDITION = """
smemdsl: 1
target: sm_90
threads: 128
buffers: {a: {shape: [128, 64], dtype: float16}, b: {shape: [128, 64], dtype: float16}}
program:
  - if: [{load: a}, {load: b}]
  - store: {from: a, tma: true}
  - store: {from: b, tma: false}
"""
REDUCE = """
smemdsl: 1
target: sm_80
threads: 128
buffers: {a: {shape: [128, 64], dtype: float32}}
program:
  - copy: a
  - reduce: {reads: [a], cross_warp: true}
"""
TWINS = {
    "inject-pipeline/prologue": (gemm("sm_80"), gemm("sm_80").replace("num_stages: 3", "num_stages: 0")),
    "inject-pipeline/versions": (gemm("sm_80"), None),
    "warp-specialize/split": (gemm("sm_90", tma=True), gemm("sm_90")),
    "warp-specialize/barriers": (gemm("sm_90", tma=True), gemm("sm_90")),
    "lower-reduce/workspace": (REDUCE, REDUCE.replace("cross_warp: true", "cross_warp: false")),
    "merge-if/conditions": (
        CONDITION,
        CONDITION.replace("- if: [{load: a}, {load: b}]", "- load: a\n  - load: b"),
    ),
    "merge-shared-memory/liveness": (gemm("sm_80"), None),
    "merge-shared-memory/alignment": (gemm("sm_90"), None),
    "lower-loops/versions": (gemm("triton:sm_90"), None),
    "lower-loops/copies": (
        gemm("triton:sm_80", trans_a=True),
        gemm("triton:sm_80"),
    ),
    "lower-loops/mma-barriers": (gemm("triton:sm_100"), gemm("triton:sm_90")),
    "lower-loops/tma-barriers": (gemm("triton:sm_90", tma=True), gemm("triton:sm_90")),
    "accelerate-matmul/transposed-tile": (
        gemm("triton:sm_90", "float32", tma=True, trans_a=True),
        gemm("triton:sm_90", "float16", tma=True, trans_a=True),
    ),
    "allocate-shared-memory/convert-layout": (
        gemm("triton:sm_90") + "  - store: {dtype: float16}\n",
        gemm("triton:sm_90"),
    ),
    "allocate-shared-memory/liveness": (gemm("triton:sm_90"), None),
    "allocate-shared-memory/alignment": (gemm("triton:sm_90"), None),
}
"""For each rule a kernel that takes it and, where there is one, the nearest kernel that does not."""


def test_every_rule_has_twins() -> None:
    """None is missing."""
    assert TWINS.keys() == RULES.keys() - UNPRINTED


@pytest.mark.parametrize("rule", TWINS)
def test_twins(rule: str) -> None:
    """The rule gives a value of the one kernel, and none of the other."""
    taken, missed = TWINS[rule]
    assert rule in rules_of(taken)
    assert missed is None or rule not in rules_of(missed)


@pytest.mark.parametrize("rule", RULES)
def test_pages(rule: str) -> None:
    """The page is found by the rule's name, and says what is done, where, since when, and how it is known."""
    assert import_module(RULES[rule]).RULE.name == rule
    done = run("explain", rule)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"# {rule}\n\n")
    for fact in ("compiler", "pass", "source", "measured for", "evidence"):
        assert f"\n* {fact}: " in done.out, fact
    assert rule in run("explain").out


def test_what_ships_names_no_other_rule() -> None:
    """`file` apart, every rule that explains a scenario that ships has its page."""
    results = json.loads(run("pack", "builtin:", "--explain", "--format", "json").out)["results"]
    found = {reason["rule"] for result in results for reason in result["why"]}
    assert found - {"file"} <= RULES.keys()
    assert len(found) > 8


def test_an_old_name_is_unknown() -> None:
    """A rule that is misspelt gets the nearest."""
    done = run("explain", "inject-pipeline/version")
    assert done.code == 2
    assert "did you mean inject-pipeline/versions" in done.err


def test_sources_are_files() -> None:
    """Each source is a path below the compiler's repository."""
    for module in RULES.values():
        for source in import_module(module).RULE.source.split(", "):
            assert Path(source).suffix in {".cc", ".cpp", ".h"}, source
