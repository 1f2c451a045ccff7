"""Expectations: where a miss is reported, what was expected and got, and why; and which one holds where."""

from __future__ import annotations

import pytest

from smemdsl.api import loads
from smemdsl.core.errors import Diagnostic, ScenarioError

KERNEL = """\
smemdsl: 1
params: {n: 2}
budget: sm_90
threads: 128
timeline:
  - {region: k, extent: 4, stages: [0, n - 1]}
  - store
buffers:
  A: {bytes: 32 KiB, access: {k: [0, 1]}}
  B: {bytes: 16 KiB, def_stage: 0, use_stage: n - 1, access: {k: [1]}}
  C: {bytes: 16 KiB, access: [store]}
  D: {bytes: 8, when: n > 2}
  S: {bytes: 1 KiB, scope: static}
sweep: {n: 1..8}
expect:
"""
"""A 65536 + B 32768 B are live from slot 3, C takes A's place; with 1024 static B 99328 B are used.

Of an sm_90 SM, 233472 B, 2 blocks of 100352 B run; with 233472 // 3 - 1024 = 76800 B 3 would. Of an sm_80,
167936 B, 1 runs; with 167936 // 2 - 1024 = 82944 B 2 would. From n = 3 on D takes 8 B, rounded up to 128:
n = 4 takes 4 * 49152 + 128 + 1024 = 197760 B, n = 5 246912 of 232448 B.
"""
PEAK = "A 65536 + B 32768 B make the peak of 98304 B at slot 3; static memory adds 1024 B"

MISSES = [
    (
        "  fits: false",
        "16:9 expect-fits",
        "expected not to fit sm_90, got 99328 of 232448 B, 133120 B below",
        PEAK,
    ),
    ("  arena: 96", "16:10 expect-arena", "expected arena to be 96 B, got 98304 B", PEAK),
    ("  arena: '!= 96 KiB'", "16:10 expect-arena", "expected arena to be != 98304 B, got 98304 B", PEAK),
    ("  arena: n * 8", "16:10 expect-arena", "expected arena to be 16 B, got 98304 B", PEAK),
    ("  arena_max: 64 KiB", "16:14 expect-arena-max", "expected arena to be <= 65536 B, got 98304 B", PEAK),
    ("  arena_min: 1 MiB", "16:14 expect-arena-min", "expected arena to be >= 1048576 B, got 98304 B", PEAK),
    (
        "  versions: {A: 1}",
        "16:17 expect-versions",
        "expected versions of A to be 1, got 2",
        "from the stages of its statements in k",
    ),
    (
        "  versions: {B: '> 2'}",
        "16:17 expect-versions",
        "expected versions of B to be > 2, got 2",
        "use_stage 1 - def_stage 0 + 1",
    ),
    (
        "  versions: {D: 1}",
        "16:17 expect-versions",
        "expected versions of D to be 1, got none",
        "`when` excludes D",
    ),
    ("  versions: {S: 2}", "16:17 expect-versions", "expected versions of S to be 2, got 1", ""),
    (
        "  share: [[A, C], [A, B]]",
        "16:19 expect-share",
        "expected A and B to share storage, got A at 0..65536, B at 65536..98304",
        "both are live over [3, 10)",
    ),
    (
        "  share: [[B, C]]",
        "16:11 expect-share",
        "expected B and C to share storage, got B at 65536..98304, C at 0..16384",
        "they are never live together, but policy tilelang places them apart",
    ),
    (
        "  share: [[A, D]]",
        "16:11 expect-share",
        "expected A and D to share storage, but D is not in the arena",
        "",
    ),
    (
        "  max: {n: 5}",
        "16:12 expect-max",
        "expected largest n that fits sm_90 to be 5, got 4",
        "n=5 needs 246912 of 232448 B",
    ),
    (
        "  max: {n: '< 4'}",
        "16:12 expect-max",
        "expected largest n that fits sm_90 to be < 4, got 4",
        "n=4 takes 197760 of 232448 B",
    ),
    (
        "  blocks_per_sm: 3",
        "16:18 expect-blocks-per-sm",
        "expected blocks per SM on sm_90 to be 3, got 2",
        "shared memory allows no more, with 99328 B a block; 22528 B less would let 3 run",
    ),
    (
        "  devices: {sm_86: {fits: true}, sm_80: {fits: true}}",
        "",
        "",
        "",
    ),
    (
        "  devices:\n    sm_80: {blocks_per_sm: 2}",
        "17:28 expect-blocks-per-sm",
        "expected blocks per SM on sm_80 to be 2, got 1",
        "shared memory allows no more, with 99328 B a block; 16384 B less would let 2 run",
    ),
]


def missed(text: str) -> list[Diagnostic]:
    """The expectations that do not hold, in the order of the file."""
    scenario = loads(text, "k.yaml")
    faults = dict.fromkeys(f for verdict in scenario.own_verdicts() for f in verdict.failures)
    return scenario.diagnose(faults)


@pytest.mark.parametrize(("expect", "place", "message", "why"), MISSES)
def test_expected_got_and_why(expect: str, place: str, message: str, why: str) -> None:
    """A miss stands at its own line, with both values, and what explains the one that came out."""
    found = missed(KERNEL + expect + "\n")
    shown = [(f"{item.line}:{item.column} {item.code}", item.message, item.why) for item in found]
    assert shown == ([(place, message, why)] if place else [])


HELD = [
    "  {fits: true, arena: 96 KiB, arena_max: 96 KiB, arena_min: 98304}",
    "  {versions: {A: 2, B: '>= 2', C: 1, S: '!= 2'}, share: [[A, C]], max: {n: 4}, blocks_per_sm: '< 3'}",
    "  {devices: {sm_75: {fits: false}, sm_80: {blocks_per_sm: 1}, sm_90: {arena: n * 49152}}}",
]


@pytest.mark.parametrize("expect", HELD)
def test_what_holds_is_silent(expect: str) -> None:
    """Exact numbers, comparisons, sizes with units, expressions over the parameters, device by device."""
    assert missed(KERNEL + expect + "\n") == []


def words(expect: str, budget: str = "[sm_90, sm_75]") -> list[tuple[str, str, bool]]:
    """Budget, verdict, and whether nothing is wrong."""
    text = KERNEL.replace("budget: sm_90", f"budget: {budget}") + expect + "\n"
    return [(v.budget.name, v.verdict, v.passes) for v in loads(text).own_verdicts()]


def test_what_a_device_expects_goes_before_what_all_do() -> None:
    """Of all budgets the file expects to fit, of one not to; both hold, and the OVER is not a failure."""
    expect = "  {fits: true, devices: {sm_75: {fits: false}}}"
    assert words(expect) == [("sm_90", "OK", True), ("sm_75", "OVER", True)]


def test_what_a_device_does_not_say_is_expected_of_it_too() -> None:
    """Fields and names that the device leaves out come from the whole, each at its own line."""
    expect = "  {arena: 8, versions: {A: 7, B: 7}, devices: {sm_90: {versions: {A: 2}, blocks_per_sm: 2}}}"
    found = missed(KERNEL.replace("budget: sm_90", "budget: [sm_90]") + expect + "\n")
    assert [(item.code, item.column) for item in found] == [("expect-arena", 11), ("expect-versions", 34)]


def test_devices_are_judged_where_no_budget_names_them() -> None:
    """A device that something is expected of has a verdict of its own, after those of the budgets."""
    expect = "  {fits: true, devices: {sm_86: {fits: false}}}"
    assert words(expect, "sm_90") == [("sm_90", "OK", True), ("sm_86", "FAIL", False)]


@pytest.mark.parametrize("expect", ["{h100: {fits: true}, sm_90: {fits: true}}", "{h1000: {fits: true}}"])
def test_devices_have_one_name_each(expect: str) -> None:
    """One device under two names, or under none, is an error of the file."""
    with pytest.raises(ScenarioError):
        missed(f"{KERNEL}  devices: {expect}\n")


def test_long_peaks_name_the_largest() -> None:
    """A sentence names six buffers at most, the largest, and counts the others."""
    buffers = "".join(f"  b{i}: {{bytes: {i + 1}}}\n" for i in range(9))
    (miss,) = missed(f"smemdsl: 1\nalign: 1\nbuffers:\n{buffers}expect: {{arena: 0}}\n")
    assert miss.why == (
        "b8 9 + b7 8 + b6 7 + b5 6 + b4 5 + b3 4 B and 3 smaller make the peak of 45 B at slot 0"
    )


def test_gaps_are_told_apart_from_buffers() -> None:
    """Where the arena is larger than its buffers, alignment and gaps are named."""
    (miss,) = missed(
        "smemdsl: 1\nalign: 1024\nbuffers: {a: {bytes: 1000}, b: {bytes: 8}}\nexpect: {arena: 0}\n"
    )
    assert miss.why.endswith("the peak of 1008 B at slot 0; alignment and gaps put the arena 1040 B above it")
