"""How sure a result is: of programs by their rules, of files by what they say, and how it is told."""

from __future__ import annotations

import pytest

from smemdsl.api import Scenario, loads
from smemdsl.core.confidence import APPROXIMATE, BOUND, EXACT, Uncertainty, approximate, bound, confidence
from smemdsl.output.formats.explicit import explicit

PROGRAM = """
smemdsl: 1
target: {target}
threads: 256
buffers:
  a: {{shape: [128, 32], dtype: float16}}
  b: {{shape: [32, 256], dtype: float16}}
  {scratch}
program:
  - loop: k
    extent: 64
    num_stages: 2
    body:
      - copy: a
      - copy: b
      - gemm: {{a: a, b: b, m: 128, n: 256, k: 32}}
  {touch}
"""


def gemm(target: str, scratch: int = 0) -> Scenario:
    """A product, with the scratch of its epilogue where that is known."""
    declared = {"scratch": f"scratch: {{bytes: {scratch}}}", "touch": "- compute: {writes: [scratch]}"}
    return loads(PROGRAM.format(target=target, **(declared if scratch else dict.fromkeys(declared, ""))))


@pytest.mark.parametrize(
    ("uncertain", "wanted"),
    [
        ((), EXACT),
        ((bound("x"),), BOUND),
        ((approximate("x"),), APPROXIMATE),
        ((bound("x"), approximate("y")), APPROXIMATE),
    ],
)
def test_the_least_sure_reason_decides(uncertain: tuple[Uncertainty, ...], wanted: str) -> None:
    """What may be less is no bound, whatever else may be missing."""
    assert confidence(uncertain) == wanted


@pytest.mark.parametrize(
    ("scenario", "wanted"),
    [
        (gemm("triton:sm_80"), BOUND),  # the compiler takes 32768 for 24576 here
        (gemm("triton:sm_80", 32768), EXACT),
        (gemm("triton:sm_121"), APPROXIMATE),  # never measured
        (gemm("sm_80"), EXACT),
        (gemm("sm_121"), APPROXIMATE),
        (loads("{smemdsl: 1, buffers: {a: {bytes: 8}}}"), EXACT),
        (loads("{smemdsl: 1, policy: triton, buffers: {a: {bytes: 8}}}"), EXACT),
        (loads("{smemdsl: 1, confidence: {bound: [x]}, buffers: {a: {bytes: 8}}}"), BOUND),
    ],
)
def test_verdicts(scenario: Scenario, wanted: str) -> None:
    """A program by the rules of its compiler and target; an explicit file is taken at its word."""
    verdict = scenario.check()
    assert verdict.confidence == wanted
    said = [f.code for f in verdict.warnings if f.code in (BOUND, APPROXIMATE)]
    assert said == [item.kind for item in verdict.uncertain]


@pytest.mark.parametrize("target", ["triton:sm_80", "triton:sm_121", "sm_121", "sm_80"])
def test_the_explicit_form_is_no_surer(target: str) -> None:
    """What `expand` writes of a program has its confidence, for the same reasons."""
    verdict = gemm(target).check()
    spec = gemm(target).spec
    again = loads("\n".join(explicit(spec, [verdict]))).check()
    assert again.uncertain == verdict.uncertain
