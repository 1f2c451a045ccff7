"""How sure a result is: of programs by their rules, of files by what they say, and how it is told."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from smemdsl.api import Scenario, loads
from smemdsl.core.confidence import APPROXIMATE, BOUND, EXACT, Uncertainty, approximate, bound, confidence
from smemdsl.output.formats.explicit import explicit
from tests.commands.running import run

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
        (gemm("triton:sm_121"), BOUND),
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


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    """A product whose arena is a lower bound, swept over its stages."""
    text = PROGRAM.format(target="triton:sm_80", scratch="", touch="").replace(": 2\n", ": stages\n")
    file = tmp_path / "kernel.yaml"
    file.write_text(f"{text}params: {{stages: 2}}\nsweep: {{stages: 1..3}}\n", encoding="utf-8")
    return str(file)


REASON = "how a gemm's result is stored is not in the program (as `store: {dtype: float16}`)"


def test_tables_mark_it(kernel: str) -> None:
    """A sign before the numbers, a question mark behind the verdict, the reason on a line; grids too."""
    done = run("check", kernel)
    assert [cell for cell in done.out.splitlines()[1].split("  ") if cell.strip().startswith((">=", "<="))]
    assert done.out.splitlines()[1].endswith("<= 6  OK?")
    assert "1 OK (1 not exact)" in done.out
    assert f"warning[bound] the arena is a lower bound: {REASON}" in done.err
    assert f"a lower bound: {REASON}" in run("pack", kernel).out
    for more in ((), ("--pivot", "stages")):
        swept = run("sweep", kernel, *more)
        assert ">= " in swept.out
        assert "OK?" in swept.out
        assert REASON in swept.err


def test_programs_read_it(kernel: str) -> None:
    """JSON, CSV and JSON lines have it as a field, JUnit and SARIF as a property, the library too."""
    (result,) = json.loads(run("check", kernel, "--format", "json").out)["results"]
    assert (result["verdict"], result["confidence"], result["bound"]) == ("OK", BOUND, [REASON])
    swept = run("sweep", kernel, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["confidence"] for line in swept] == [BOUND] * 3
    for command in ("check", "sweep"):
        table = csv.DictReader(io.StringIO(run(command, kernel, "--format", "csv").out))
        assert {row["confidence"] for row in table} == {BOUND}
    assert '<property name="confidence" value="bound"/>' in run("check", kernel, "--format", "junit").out
    (log,) = json.loads(run("check", kernel, "--format", "sarif").out)["runs"]
    assert [one["confidence"] for one in log["properties"]["verdicts"]] == [BOUND]
    assert [found["ruleId"] for found in log["results"] if found["ruleId"] == "bound"] == ["bound"]


def test_strict_fails_on_it(kernel: str) -> None:
    """A run that must be exact does not pass on a bound."""
    assert (run("check", kernel).code, run("check", kernel, "--strict").code) == (0, 1)


def test_tips_built_on_it_say_so(kernel: str) -> None:
    """Occupancy and suggestions are bounds of their own."""
    done = run("check", kernel, "--suggest")
    assert "<= 7 blocks/SM" in done.out
    assert "where 6 do; but the arena is a lower bound" in done.err
