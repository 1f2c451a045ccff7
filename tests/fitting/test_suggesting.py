"""What would fit: every suggestion is tried, as a person would paste it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import smemdsl
from smemdsl import Options, Verdict, loads
from smemdsl.judging.suggestions import Suggestion
from smemdsl.judging.suggestions.nearest import cheapest_pairs, sides
from smemdsl.scenario.binding import plain
from tests.commands.running import run
from tests.effort import examples
from tests.texts import GEMM

VALUES: dict[str, list[int | str]] = {
    "block_M": [*range(16, 257, 16)],
    "block_N": [32, 64, 96, 128, 192, 256],
    "block_K": [16, 32, 64, 128],
    "num_stages": [*range(1, 7)],
    "dtype": ["float8_e4m3", "float16", "float32"],
}
WRITTEN = {"block_M": "16..256:16", "block_K": "16..128*2", "num_stages": "1..6"}
"""How an axis is written, where not as a list."""
KERNEL = """\
smemdsl: 1
name: kernel
params:
  {{block_M: {block_M}, block_N: {block_N}, block_K: {block_K}, num_stages: {num_stages}, dtype: {dtype}}}
constraints: [{constraint}]
policy: {policy}
budget: {budget}
static: {static}
timeline: [{{region: k, extent: 8, stages: [0, 0, num_stages - 1]}}, {{region: store, statements: 2}}]
buffers:
  A: {{shape: [block_M, block_K], dtype: dtype, access: {{k: [0, 2]}}, align: 1024}}
  B: {{shape: [block_K, block_N], dtype: dtype, access: {{k: [1, 2]}}}}
  bias: {{shape: [block_N], dtype: float32, access: [k, store]}}
  C: {{shape: [block_M, block_N], dtype: float16, access: {{store: [0, 1]}}}}
{more}
sweep:
{sweep}
"""
kernels = st.builds(
    lambda swept, **fields: KERNEL.format(
        sweep="\n".join(f"  {name}: {WRITTEN.get(name, VALUES[name])}" for name in swept), **fields
    ),
    swept=st.lists(st.sampled_from(sorted(VALUES)), min_size=1, unique=True),
    block_M=st.sampled_from([16, 64, 128, 256]),
    block_N=st.sampled_from([32, 64, 128, 160, 256]),
    block_K=st.sampled_from([16, 32, 64, 128]),
    num_stages=st.integers(1, 6),
    dtype=st.sampled_from(["float8_e4m3", "float16", "float32"]),
    constraint=st.sampled_from(["true", "block_M >= block_N", "num_stages > 1", "block_K % 32 == 0"]),
    policy=st.sampled_from(["tilelang", "triton", "sequential", "struct", "firstfit", "optimal"]),
    budget=st.sampled_from(["sm_75", "sm_86", "sm_90", "20000", "block_M * 512"]),
    static=st.sampled_from([0, 1024]),
    more=st.sampled_from(["", "fill: {num_stages: 1..4}", "blocks_per_sm: 1"]),
)


def over(text: str) -> Verdict:
    """The verdict of a kernel that does not fit."""
    if "blocks_per_sm" in text:
        assume("budget: sm_" in text)
    verdict = loads(text).check()
    assume(not verdict.fits)
    return verdict


def tried(text: str, suggestion: Suggestion) -> Verdict:
    """The verdict with a suggestion taken up through the library."""
    return loads(text).verdicts((), Options(suggestion.policy), **suggestion.settings)[0]


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(kernels)
def test_each_fits(text: str) -> None:
    """Every suggestion of other values or of another policy, taken up, fits and has the arena it says."""
    for suggestion in over(text).suggestions:
        if suggestion.change.startswith("--"):
            verdict = tried(text, suggestion)
            assert verdict.fits
            assert not verdict.plan.violated
            assert verdict.arena_bytes == suggestion.arena_bytes


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(kernels)
def test_more_blocks(text: str) -> None:
    """Of what fits, each other value that is suggested lets more blocks run than before."""
    assume("budget: sm_" in text)
    verdict = loads(text).check()
    assume(verdict.fits)
    before = verdict.blocks_per_sm or 0
    for suggestion in verdict.suggestions:
        if suggestion.settings:
            assert (tried(text, suggestion).blocks_per_sm or 0) > before
        else:
            words = suggestion.outcome.split()
            assert (suggestion.kind, int(words[0]) > before) == ("occupancy", True)


def halves(name: str, present: int | str) -> list[list[int | str]]:
    """The values of an axis on either side of one, the nearest first."""
    values = VALUES[name]
    if present in values:
        at = values.index(present)
        return [values[:at][::-1], values[at + 1 :]]
    below: list[int | str] = [value for value in values if isinstance(value, int) and value < int(present)]
    return [below[::-1], values[len(below) :]]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(kernels)
def test_nearest(text: str) -> None:
    """Of each swept parameter exactly the nearest values on either side that fit alone are suggested."""
    verdict = over(text)
    scenario = loads(text)
    expected = []
    for axis in scenario.spec.axes:
        for half in halves(axis.name, plain(verdict.plan.params[axis.name])):
            fitting = [{axis.name: v} for v in half if passes(scenario, {axis.name: v})]
            expected += fitting[:1]
    assert [s.settings for s in verdict.suggestions if s.kind == "parameter"] == expected


def passes(scenario: smemdsl.Scenario, values: dict[str, int | str]) -> bool:
    """Whether a configuration has a meaning, holds the constraints and fits."""
    try:
        verdict = scenario.verdicts((), None, **values)[0]
    except smemdsl.ScenarioError:
        return False
    return verdict.fits and not verdict.plan.violated


@settings(max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(kernels)
def test_pair(text: str) -> None:
    """The pair fits, neither half of it does alone, and no pair of fewer steps does so."""
    verdict = over(text)
    scenario, params = loads(text), verdict.plan.params
    names = [axis.name for axis in scenario.spec.axes]
    steps = {
        name: [
            (step, value)
            for half in halves(name, plain(params[name]))
            for step, value in enumerate(half, 1)
            if not passes(scenario, {name: value})
        ]
        for name in names
    }
    distances = [
        i + j
        for at, one in enumerate(names)
        for other in names[at + 1 :]
        for i, value in steps[one]
        for j, second in steps[other]
        if i + j <= 4 and passes(scenario, {one: value, other: second})
    ]
    found = [s.settings for s in verdict.suggestions if s.kind == "pair"]
    if distances:
        ((one, value), (other, second)) = found[0].items()
        at = {name: {v: step for step, v in steps[name]} for name in (one, other)}
        assert at[one][value] + at[other][second] == min(
            distances
        )  # neither half is missing: it fits not alone
    for pair in found:
        assert passes(scenario, dict(pair))
        assert not any(passes(scenario, {name: value}) for name, value in pair.items())


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(kernels)
def test_policies(text: str) -> None:
    """Another policy is suggested exactly where it fits, the smallest arena first."""
    verdict = over(text)
    found = [s for s in verdict.suggestions if s.kind == "policy"]
    others = [p for p in smemdsl.policies.policy_names() if p != verdict.plan.policy]
    expected = {p for p in others if loads(text).verdicts((), Options(p))[0].passes}
    assert {s.policy for s in found} == expected
    assert [s.arena_bytes for s in found] == sorted(s.arena_bytes for s in found)


@st.composite
def explicit(draw: st.DrawFn) -> dict[str, tuple[int, int, int, int]]:
    """Buffers: bytes of a version, versions, start and end."""
    buffers = {}
    for name in "abcdef"[: draw(st.integers(2, 6))]:
        start = draw(st.integers(0, 6))
        buffers[name] = (
            draw(st.integers(1, 40)) * 128, draw(st.integers(1, 4)), start, start + draw(st.integers(1, 5))
        )  # fmt: skip
    return buffers


def written(buffers: dict[str, tuple[int, int, int, int]], budget: int) -> str:
    """A scenario of these buffers."""
    lines = [
        f"  {name}: {{bytes: {size}, versions: {versions}, live: [{start}, {end}]}}"
        for name, (size, versions, start, end) in buffers.items()
    ]
    return "\n".join([f"smemdsl: 1\nbudget: {budget}\nbuffers:", *lines])


@given(explicit(), st.integers(30, 99))
def test_buffers(buffers: dict[str, tuple[int, int, int, int]], percent: int) -> None:
    """What is said of a smaller buffer is what its file gives when it is written so."""
    arena = loads(written(buffers, 1)).plan().packing.arena
    budget = arena * percent // 100
    for suggestion in loads(written(buffers, budget)).check().suggestions:
        if suggestion.kind != "buffer":
            continue
        name, what, *words = suggestion.change.split()
        size, versions, start, end = buffers[name]
        if what == "dead":
            end = buffers[words[1]][2]
            assert start < end == min(s for _, _, s, _ in buffers.values() if start < s)
        elif words[-1] == "versions":
            assert words == [str(versions - 1), "instead", "of", str(versions), "versions"]
            versions -= 1
        else:
            assert words[:3] == [str((size * versions + 1) // 2), "instead", "of"]
            size, versions = int(words[0]), 1
        changed = loads(written({**buffers, name: (size, versions, start, end)}, budget)).check()
        assert changed.arena_bytes == suggestion.arena_bytes < arena
        assert changed.fits == suggestion.fits


def test_by_hand() -> None:
    """The staged GEMM with 4 stages and an SM of 99 KiB: 3 stages fit, as do half an operand and so on."""
    verdict = loads(GEMM).check(budget="rtx-4090", num_stages=4)
    assert [s.text for s in verdict.suggestions] == [
        "--set num_stages=3: 98304 of 101376 B, 1 block/SM",
        "A_shared with 32768 instead of 65536 B: 98304 of 101376 B",
        "A_shared dead before B_shared starts: 65536 of 101376 B",
        "B_shared with 32768 instead of 65536 B: 98304 of 101376 B",
        "A_shared with 3 instead of 4 versions: 114688 of 101376 B, still 13312 B too much",
        "B_shared with 3 instead of 4 versions: 114688 of 101376 B, still 13312 B too much",
    ]
    assert loads(GEMM).verdicts(["rtx-4090"], None, **verdict.suggestions[0].settings)[0].fits


def test_what_was_given_stays_given() -> None:
    """A value that depends on the one that is changed follows it, as it does when the line is pasted."""
    text = (
        "smemdsl: 1\nparams: {n: 2, m: n * 4}\nbudget: 16\nbuffers: {a: {bytes: m, versions: 2}}\n"
        "sweep: {n: 1..4}\n"
    )
    verdict = loads(text).check(n=3)
    assert [s.change for s in verdict.suggestions if s.kind == "parameter"] == ["--set n=2"]
    assert [s.change for s in loads(text).check(n=3, m=12).suggestions if s.kind == "parameter"] == []


def test_configs() -> None:
    """Of listed configurations those that change the least are suggested, at most two."""
    text = (
        "smemdsl: 1\nparams: {m: 4, n: 4, k: 4}\nbudget: 30\nbuffers: {a: {bytes: m * n * k}}\n"
        "configs: [{m: 1, n: 1, k: 1}, {m: 2, n: 3}, {m: 1}, {k: 1, n: 3}, {n: 3}]\n"
    )
    verdict = loads(text).check()
    assert [s.change for s in verdict.suggestions if s.kind == "config"] == [
        "--set m=1",
        "--set m=2 --set n=3",
    ]


def test_request() -> None:
    """Where the launch asks for more than the arena, and that is too much, the arena is suggested."""
    text = "smemdsl: 1\nbudget: 300\nstatic: 8\nrequest: 400\nbuffers: {a: {bytes: 128}}\n"
    assert [s.text for s in loads(text).check().suggestions] == ["request: 128: 136 of 300 B"]
    assert loads(text.replace("400", "128")).check().fits


def test_occupancy() -> None:
    """What fits is told how far the next block is; with that much less it runs (233472 / 4 - 1024)."""
    verdict = loads(GEMM).check(budget="sm_90")
    fewer, stages = verdict.suggestions
    assert fewer.text == f"free {65536 - 57344} B: 4 blocks/SM on sm_90"
    assert stages.text == "--set num_stages=1: 32768 of 232448 B, 6 blocks/SM"
    assert smemdsl.occupancy("sm_90", dynamic_bytes=57344) == 4
    assert smemdsl.occupancy("sm_90", dynamic_bytes=57345) == 3


def test_far_values() -> None:
    """On a long axis the nearest value is looked for from the present one outwards."""
    assert sides(range(0, 1 << 40), 1 << 39)[0][:2] == range((1 << 39) - 1, (1 << 39) - 3, -1)
    assert [list(side)[:2] for side in sides(range(0, 100, 7), 50)] == [[49, 42], [56, 63]]
    assert sides([8, 2, 4, 2], 4) == ([2], [8])
    assert next(cheapest_pairs({"a": ([3, 2], []), "b": ([], [9])})) == (2, {"a": 3, "b": 9})


@pytest.fixture
def gemm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a file with a GEMM that needs 64 KiB and has 63, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "gemm.yaml").write_text(f"{GEMM}budget: 63 KiB\n", encoding="utf-8")
    return "gemm.yaml"


def test_lines_can_be_pasted(gemm: str) -> None:
    """Each line that begins with a flag makes the command succeed when it is pasted behind it."""
    asked = ["check", gemm, "--set", "num_stages=3", "--set", "block_M=192"]
    done = run(*asked)
    flags = [line.split("  ")[1] for line in done.out.splitlines() if line.startswith("  --")]
    assert (done.code, flags) == (1, ["--set num_stages=1"])
    for flag in flags:
        assert run(*asked, *shlex.split(flag)).code == 0


def test_when_they_are_printed(gemm: str) -> None:
    """For a single file that is over by default, for none under --no-suggest, for all under --suggest."""
    (Path("fits.yaml")).write_text(GEMM, encoding="utf-8")
    (Path("expected.yaml")).write_text(f"{GEMM}budget: 63 KiB\nexpect: {{fits: false}}\n", encoding="utf-8")
    assert "gemm: 1024 B over 63 KiB; what would fit:" in run("check", gemm).out
    assert "what would fit" not in run("check", gemm, "--no-suggest").out
    assert "what would fit" not in run("check", gemm, "fits.yaml").out
    assert "what would fit" not in run("check", "expected.yaml").out
    assert "what would fit" in run("check", "expected.yaml", "--suggest").out
    both = run("check", gemm, "fits.yaml", "--suggest").out
    assert "what would fit" in both
    assert (
        "gemm: fits sm_90/sm; what would let more blocks run:\n  free 8192 B         4 blocks/SM on" in both
    )


@pytest.mark.parametrize(
    ("budget", "expect", "shown"),
    [
        ("63 KiB", "{fits: true}", True),
        ("63 KiB", "{arena_max: 1}", True),
        ("63 KiB", "{fits: false, arena_max: 1}", False),
        ("sm_75/static", "{devices: {sm_75/static: {fits: true}}}", True),
        ("sm_75/static", "{fits: true, devices: {sm_75/static: {fits: false, arena_max: 1}}}", False),
        ("64 KiB", "{arena_max: 1}", False),
        ("64 KiB", "{fits: false}", False),
    ],
)
def test_a_promise_that_broke_is_helped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, budget: str, expect: str, shown: bool
) -> None:
    """FAIL says no less than OVER would: what is too much, and was not expected to be, may be mended."""
    monkeypatch.chdir(tmp_path)
    Path("gemm.yaml").write_text(f"{GEMM}budget: {budget}\nexpect: {expect}\n", encoding="utf-8")
    done = run("check", "gemm.yaml")
    assert (done.code, "FAIL" in done.out) == (1, True)
    assert ("what would fit:" in done.out) == shown


def test_nothing_would_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing tried fits that is said, with the nearest; and how to have parameters tried."""
    monkeypatch.chdir(tmp_path)
    text = "smemdsl: 1\nparams: {n: 4}\nbudget: 1\nbuffers: {a: {bytes: 8, versions: n}}\n"
    Path("a.yaml").write_text(text, encoding="utf-8")
    assert run("check", "a.yaml").out.split("\n\n")[1] == (
        "a: 31 B over 1; nothing tried would fit, nearest are:\n"
        "  a with 16 instead of 32 B       16 of 1 B, still 15 B too much\n"
        "  a with 3 instead of 4 versions  24 of 1 B, still 23 B too much\n"
        "  (no parameter was tried: say in `sweep:` which values each may take)"
    )


def test_formats(gemm: str) -> None:
    """json has all of them as data, markdown a list, and an annotation the first that fits."""
    (result,) = json.loads(run("check", gemm, "--format", "json").out)["results"]
    first = result["suggestions"][0]
    assert first["change"] == "--set num_stages=1"
    assert (first["kind"], first["settings"], first["fits"]) == ("parameter", {"num_stages": 1}, True)
    assert "- --set num\\_stages=1" in run("check", gemm, "--format", "markdown").out.replace("_", "\\_")
    assert "--set num_stages=1 would fit: 32768 of 64512 B" in run("check", gemm, "--format", "concise").out
    (plain_result,) = json.loads(run("check", gemm, "--no-suggest", "--format", "json").out)["results"]
    assert "suggestions" not in plain_result
