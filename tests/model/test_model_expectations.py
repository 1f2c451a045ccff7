"""What a scenario expects of itself: what holds, what is missed, and where the miss is told."""

from __future__ import annotations

import pytest

from smemdsl.api import loads
from tests.texts import GEMM, place, problems

A_AND_C = "[[A_shared, C_shared]]"


def outcome(expect: str, budget: str = "sm_90") -> tuple[list[str], list[str]]:
    """Verdicts of the staged GEMM (arena 65536 B) under these expectations; column and code of each miss."""
    text = f"{GEMM}budget: {budget}\nexpect: {expect}\n"
    scenario = loads(text, "f.yaml")
    verdicts = scenario.own_verdicts()
    words = [
        f"{v.budget.name} {v.verdict}{' expected' if v.over_expected else ''}"
        + ("" if v.passes or v.failures else " unexpected")
        for v in verdicts
    ]
    faults = dict.fromkeys(fault for v in verdicts for fault in v.failures)
    return words, [place(d).removeprefix(f"{text.count(chr(10))}:") for d in scenario.diagnose(faults)]


@pytest.mark.parametrize(
    "expect",
    [
        "{}",
        "{fits: true}",
        "{arena: 65536}",
        "{arena: 64 KiB}",
        "{arena: block_M * 512}",
        "{arena: <= 64 KiB}",
        "{arena: '>= 65536'}",
        "{arena: '> 65535'}",
        "{arena: < 65537}",
        "{arena: '!= 0'}",
        "{arena: == 65536}",
        "{arena_max: 65536, arena_min: 64 KiB}",
        "{versions: {A_shared: 2, C_shared: <= 1, B_shared: num_stages}}",
        f"{{share: {A_AND_C}}}",
        "{max: {num_stages: 6}}",
        "{max: {num_stages: '>= 3', block_M: '>= 64'}}",
        "{blocks_per_sm: 3}",
        "{blocks_per_sm: '>= 2'}",
        "{devices: {sm_90: {blocks_per_sm: 3}}}",
    ],
)
def test_what_holds(expect: str) -> None:
    """Numbers are met exactly or by a relation; they may be expressions and sizes."""
    assert outcome(expect) == (["sm_90 OK"], [])


@pytest.mark.parametrize(
    ("expect", "miss"),
    [
        ("{fits: false}", "16 expect-fits"),
        ("{arena: 65535}", "17 expect-arena"),
        ("{arena: <= 63 KiB}", "17 expect-arena"),
        ("{arena_max: 65535}", "21 expect-arena-max"),
        ("{arena_min: 65537}", "21 expect-arena-min"),
        ("{versions: {A_shared: 3}}", "31 expect-versions"),
        ("{versions: {A_shared: '> 2'}}", "31 expect-versions"),
        ("{share: [[A_shared, B_shared]]}", "18 expect-share"),
        ("{max: {num_stages: 3}}", "28 expect-max"),
        ("{max: {num_stages: '> 6'}}", "28 expect-max"),
        ("{blocks_per_sm: 2}", "25 expect-blocks-per-sm"),
        ("{devices: {h100: {fits: false}}}", "33 expect-fits"),
        ("{devices: {h100: {arena: 1}}}", "34 expect-arena"),
    ],
)
def test_what_is_missed(expect: str, miss: str) -> None:
    """A miss fails the scenario, and stands at the line of the expectation."""
    assert outcome(expect) == (["sm_90 FAIL"], [miss])


def test_every_pair_that_is_apart_is_told() -> None:
    """A set of three shares storage where each two of them do."""
    _, missed = outcome("{share: [[A_shared, B_shared, C_shared]]}")
    assert missed == ["18 expect-share"] * 2


@pytest.mark.parametrize(
    ("expect", "budget", "words", "missed"),
    [
        ("{fits: false}", "1 KiB", ["1 KiB OVER expected"], []),
        ("{fits: true}", "1 KiB", ["1 KiB FAIL"], ["16 expect-fits"]),
        ("{}", "1 KiB", ["1 KiB OVER unexpected"], []),
        ("{fits: false, arena: 1}", "1 KiB", ["1 KiB FAIL"], ["30 expect-arena"]),
        ("{fits: false}", "[1 KiB, sm_90]", ["1 KiB OVER expected", "sm_90 FAIL"], ["16 expect-fits"]),
        ("{blocks_per_sm: 1}", "1 MiB", ["1 MiB FAIL"], ["25 expect-blocks-per-sm"]),
        # Devices that no budget names are judged too, by what is expected of them alone.
        ("{devices: {sm_86: {fits: true}}}", "1 MiB", ["1 MiB OK", "sm_86 OK"], []),
        ("{devices: {sm_75: {}}}", "1 MiB", ["1 MiB OK", "sm_75 OK"], []),
        (
            "{fits: true, devices: {sm_75/static: {fits: false}}}",
            "1 MiB",
            ["1 MiB OK", "sm_75/static OVER expected"],
            [],
        ),
        # A device that is a budget has its own expectations first, and those of all budgets beside them.
        (
            "{fits: true, arena: 1, devices: {sm_75/static: {fits: false}}}",
            "[sm_75/static, 1 MiB]",
            ["sm_75/static FAIL", "1 MiB FAIL"],
            ["29 expect-arena"],
        ),
        (
            "{arena: 1, devices: {h100: {arena: 65536}}}",
            "[h100, sm_80]",
            ["sm_90 OK", "sm_80 FAIL"],
            ["17 expect-arena"],
        ),
    ],
)
def test_budgets_and_devices(expect: str, budget: str, words: list[str], missed: list[str]) -> None:
    """An OVER that is expected is not a failure; each expectation is held and told where it stands."""
    assert outcome(expect, budget) == (words, missed)


@pytest.mark.parametrize(
    ("sweep", "expected"),
    [
        ("{num_stages: 1..9}", 7),
        ("{num_stages: [2, 5, 3]}", 5),
        ("{num_stages: 10..12}", None),
        ("{block_M: [1]}", 7),
        ("{num_stages: 1..64}", 7),
        ("{num_stages: '0..3'}", 3),
    ],
)
def test_the_largest_value(sweep: str, expected: int | None) -> None:
    """Of the file's axis, else of 1 to 64; what breaks a constraint or has no meaning does not fit."""
    text = GEMM.replace("sweep:\n  num_stages: 1..6\n", f"sweep: {sweep}\n")
    wanted = "7" if expected is None else str(expected)
    verdicts = loads(f"{text}expect: {{max: {{num_stages: {wanted}}}}}\n").own_verdicts()
    assert (verdicts[0].verdict == "OK") == (expected is not None)
    missed = loads(f"{text}expect: {{max: {{num_stages: 99}}}}\n").own_verdicts()[0].failures
    assert f"got {'none' if expected is None else expected}" in missed[0].message


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("sweep: {num_stages: 1..99999}\nexpect: {max: {num_stages: 6}}\n", "34:28 too-many-values"),
        ("expect: {devices: {sm_9: {}}}\n", "33:20 unknown-device"),
        ("expect: {devices: {h100: {}, sm_90: {}}}\n", "33:30 duplicate-device"),
        ("expect: {arena: 1 // (num_stages - 2)}\n", "33:19 expr-zero-division"),
        ("expect: {arena: '== 1 // (num_stages - 2)'}\n", "33:23 expr-zero-division"),
        ("expect: {versions: {a: '>= x'}}\n", "33:21 unknown-buffer"),
        ("expect: {arena: ''}\n", "33:17 schema-value"),
        ("expect: {arena: '<='}\n", "33:18 expr-syntax"),
        ("expect: {arena: '=> 1'}\n", "33:18 expr-syntax"),
        ("expect: {arena_max: '<= 1'}\n", "33:22 expr-syntax"),
    ],
)
def test_expectations_without_meaning(lines: str, expected: str) -> None:
    """What cannot be verified is an error at its place, inside the expression too."""
    text = GEMM.replace("sweep:\n  num_stages: 1..6\n", "")
    assert expected in [place(d) for d in problems(text + lines)]


def test_constraints_and_misses_are_told_together() -> None:
    """A scenario that breaks a constraint is still held to what it expects."""
    (verdict,) = loads(f"{GEMM}expect: {{arena: 1}}\n".replace("% 16", "% 128")).own_verdicts()
    assert [fault.code for fault in verdict.failures] == ["constraint", "expect-arena"]
    assert verdict.verdict == "FAIL"
