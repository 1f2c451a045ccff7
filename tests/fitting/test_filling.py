"""Parameters that take the largest value that fits: by hand, against a plain search, and in the commands."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemdsl
from smemdsl import Scenario, ScenarioError, loads
from tests.commands.running import run
from tests.texts import places

RING = """\
smemdsl: 1
name: ring
params: {num_stages: 2, epi_stages: 2}
budget: [h100, a100, rtx-4090]
align: 16
buffers:
  ab: {bytes: 32 KiB, versions: num_stages}
  c: {bytes: 8 KiB, versions: epi_stages}
fill: {num_stages: 1..16, epi_stages: 2..4}
"""
"""A ring of stages and a smaller one behind it, as CUTLASS's automatic stage count has them."""


def filled(scenario: Scenario, **given: int) -> dict[str, dict[str, object]]:
    """What each budget was filled to."""
    return {v.budget.name: dict(v.plan.params) for v in scenario.verdicts((), None, **given)}


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a file with the ring, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.yaml").write_text(RING, encoding="utf-8")
    return "ring.yaml"


def test_each_budget_is_filled_for_itself() -> None:
    """sm_90 has 227 KiB: 6 stages beside 2 of the epilogue, then 4 of these; sm_80 163, sm_89 99 KiB."""
    assert filled(loads(RING)) == {
        "sm_90": {"num_stages": 6, "epi_stages": 4},  # 6 * 32 + 2 * 8 = 208; + 2 * 8 = 224 <= 227
        "sm_80": {"num_stages": 4, "epi_stages": 4},  # 4 * 32 + 2 * 8 = 144; + 2 * 8 = 160 <= 163
        "sm_89": {"num_stages": 2, "epi_stages": 4},  # 2 * 32 + 2 * 8 = 80; + 2 * 8 = 96 <= 99
    }


def test_what_is_given_is_not_filled() -> None:
    """A value given stays, and what is left goes to the others: 227 - 3 * 8 = 203 KiB hold 6 stages."""
    assert filled(loads(RING), epi_stages=3)["sm_90"] == {"num_stages": 6, "epi_stages": 3}
    assert filled(loads(RING), num_stages=1)["sm_89"] == {"num_stages": 1, "epi_stages": 4}
    assert not loads(RING).check(num_stages=3, epi_stages=2).plan.filled


def test_blocks_per_sm_fills_the_share() -> None:
    """With two blocks an SM, one has 233472 / 2 - 1024 = 115712 B on sm_90: 2 stages and 4, not 3 and 2."""
    text = RING.replace("[h100, a100, rtx-4090]", "h100\nblocks_per_sm: 2")
    (verdict,) = loads(text).verdicts()
    assert verdict.plan.params == {"num_stages": 3, "epi_stages": 2}
    assert verdict.used_bytes == 3 * 32768 + 2 * 8192 == 114688 <= verdict.budget.bytes == 115712
    assert verdict.blocks_per_sm == 2


def test_nothing_fits() -> None:
    """Where nothing fits it is OVER, with the least that it needs."""
    verdict = loads(RING).check(budget=40 * 1024)
    assert (verdict.verdict, verdict.used_bytes) == ("OVER", 32768 + 2 * 8192)
    assert verdict.plan.params == {"num_stages": 1, "epi_stages": 2}


def test_least_is_in_bytes_where_nothing_fits() -> None:
    """A parameter that makes a kernel smaller as it grows: what is shown needs the fewest bytes."""
    text = (
        "smemdsl: 1\nparams: {split: 1}\nbudget: 10\nbuffers: {a: {bytes: 64 // split}}\n"
        "fill: {split: [1, 2, 4]}\n"
    )
    verdict = loads(text).check()
    assert (verdict.verdict, verdict.used_bytes, verdict.plan.params["split"]) == ("OVER", 16, 4)


def test_constraints_hold() -> None:
    """A value that breaks a constraint is not chosen, even where nothing fits."""
    even = RING + "constraints: [num_stages % 2 == 0, epi_stages < 4]\n"
    assert filled(loads(even))["sm_80"] == {"num_stages": 4, "epi_stages": 3}
    verdict = loads(even).check(budget="16 KiB")
    assert (verdict.verdict, verdict.plan.params["num_stages"]) == ("OVER", 2)


def test_values_without_meaning_do_not_fit() -> None:
    """A value with which the file has no meaning is passed over."""
    text = (
        "smemdsl: 1\nparams: {n: 1}\nbudget: 1000\nbuffers: {a: {bytes: 12 // (5 - n) * 10}}\nfill: {n: 1..5}"
    )
    assert loads(text).check().plan.params["n"] == 4


@given(
    sizes=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    values=st.tuples(*[st.lists(st.integers(1, 9), min_size=1, max_size=4)] * 2),
    budget=st.integers(1, 400),
    odd=st.booleans(),
)
def test_rule(sizes: tuple[int, int], values: tuple[list[int], list[int]], budget: int, odd: bool) -> None:
    """In turn, the largest value that fits while the later one is at its least; what fits is found."""
    text = (
        f"smemdsl: 1\nparams: {{m: 1, n: 1}}\nbudget: {budget}\nalign: 1\n"
        f"constraints: [{'m % 2 == 1' if odd else 'true'}]\n"
        f"buffers: {{a: {{bytes: {sizes[0]} * m}}, b: {{bytes: {sizes[1]} * n}}}}\n"
        f"fill: {{m: {values[0]}, n: {values[1]}}}\n"
    )
    verdict = loads(text).check()
    least = min(values[1])
    first = [m for m in values[0] if sizes[0] * m + sizes[1] * least <= budget and not (odd and m % 2 == 0)]
    assert verdict.passes == bool(first)
    if first:
        m = max(first)
        n = max(n for n in values[1] if sizes[0] * m + sizes[1] * n <= budget)
        assert verdict.plan.params == {"m": m, "n": n}
    else:
        need = [sizes[0] * m + sizes[1] * n for m, n in product(*values) if not (odd and m % 2 == 0)]
        assert verdict.plan.violated if not need else verdict.used_bytes == min(need)


def test_fits_asks_for_every_budget() -> None:
    """`Scenario.fits` fills each budget of the file: what fits none of them does not fit."""
    text = RING.replace("bytes: 32 KiB", "bytes: 32768 * (2 if wide else 1)").replace(
        "params: {", "params: {wide: false, "
    )
    assert loads(text).fits()
    assert loads(text).fits(wide=True)  # 64 + 16 KiB on sm_89
    assert not loads(text.replace("1..16", "2..16")).fits(wide=True)


def test_expectations_speak_of_what_is_filled() -> None:
    """`expect` is held against the filled plan of each budget, and of each device that it names."""
    text = (
        RING
        + "expect: {devices: {sm_90: {arena: 224 KiB}, sm_86: {versions: {ab: 2}}, sm_75: {fits: true}}}\n"
    )
    verdicts = {verdict.budget.name: verdict for verdict in loads(text).own_verdicts()}
    assert {name: verdict.verdict for name, verdict in verdicts.items()} == dict.fromkeys(verdicts, "OK")
    assert verdicts["sm_75"].plan.params == {"num_stages": 1, "epi_stages": 4}  # 64 KiB: 32 + 4 * 8


def test_expected_largest_value() -> None:
    """`expect: max` of a parameter without an axis tries what `fill` lists, the other ones as filled."""
    text = RING + "expect: {devices: {sm_90: {max: {num_stages: 6}}, sm_89: {max: {num_stages: 2}}}}\n"
    assert [verdict.failures for verdict in loads(text).own_verdicts()] == [()] * 3
    (sm_90, _, _) = loads(text.replace("1..16", "1..4")).own_verdicts()
    assert [fault.message for fault in sm_90.failures] == [
        "expected largest num_stages that fits sm_90 to be 6, got 4"
    ]


def test_with_fill() -> None:
    """The library fills other axes too: one of the file in its place, a new one behind."""
    scenario = loads(RING).with_fill(num_stages="2, 3", epi_stages=[2])
    assert filled(scenario)["sm_90"] == {"num_stages": 3, "epi_stages": 2}
    assert [axis.name for axis in scenario.spec.fill] == ["num_stages", "epi_stages"]
    with pytest.raises(ScenarioError, match="unknown parameter 'stages'"):
        loads(RING).with_fill(stages="1..4")
    with pytest.raises(ScenarioError, match="cannot become a dtype"):
        loads(RING).with_fill(num_stages="1, float16")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fill: {n: 1..4}", []),
        ("fill: {n: [4, 1, 4]}", []),
        ("fill: {m: 1..4}", ["4:8 unknown-parameter"]),
        ("fill: {n: 4..1}", ["4:11 axis"]),
        ("fill: {n: [float16, 2]}", ["4:12 schema-type"]),
        ("fill: {n: n}", ["4:11 expr-name"]),
        ("fill: {n: 1..100000}", ["4:11 too-many-values"]),
        ("fill: {}", ["4:7 schema-value"]),
        ("fill: {n: 4}", ["4:11 schema-type"]),
    ],
)
def test_what_can_be_filled(line: str, expected: list[str]) -> None:
    """A range or a list of integers, of a parameter that there is; anything else is told at its place."""
    text = f"smemdsl: 1\nparams: {{n: 1}}\nbuffers: {{a: {{bytes: n}}}}\n{line}\n"
    assert places(text) == expected


def test_a_dtype_has_no_largest_value(tmp_path: Path) -> None:
    """What cannot be ordered cannot be filled, from the command line either."""
    file = tmp_path / "dtype.yaml"
    file.write_text("smemdsl: 1\nparams: {t: float16}\nbuffers: {a: {shape: [4], dtype: t}}\n")
    done = run("check", str(file), "--fill", "t=float16,float32")
    assert done.code == 2
    assert "error[fill-type] --fill t: the largest is chosen, so every value must be an integer" in done.err


def test_commands_say_what_was_filled(ring: str) -> None:
    """check has a column, pack a line in its heading, json a key; values as in the file are told too."""
    out = run("check", ring, "--budget", "h100", "--budget", "rtx-4090").out
    assert "num_stages=6 epi_stages=4  sm_90" in out
    assert "num_stages=2 epi_stages=4  sm_89" in out
    heading = run("pack", ring, "--budget", "sm_86").out.split("\n\n")[0]
    assert heading.endswith("filled to num_stages=2 epi_stages=4: the most that fits sm_86")
    over = run("check", ring, "--budget", "1 KiB").out
    assert "ring: 48128 B over 1 KiB with the least of `fill`; nothing tried would fit" in over
    nothing = run("pack", ring, "--budget", "1 KiB").out.split("\n\n")[0]
    assert nothing.endswith(
        "nothing that `fill` may choose fits 1 KiB: num_stages=1 epi_stages=2 needs the least"
    )
    (result,) = json.loads(run("check", ring, "--budget", "a100", "--format", "json").out)["results"]
    assert result["filled"] == {"num_stages": 4, "epi_stages": 4}


def test_flag(ring: str) -> None:
    """--fill replaces the file's values, --set overrides both, and a bad range ends the run with 2."""
    done = run("check", ring, "--budget", "h100", "--fill", "num_stages=1..3", "--set", "epi_stages=2")
    assert (done.code, "num_stages=3  sm_90" in done.out) == (0, True)
    assert run("check", ring, "--fill", "num_stages=x").code == 2
    assert run("check", ring, "--fill", "num_stage=1..3").code == 2
    assert "expectations are not verified" not in run("check", ring).err


def test_json_of_pack_keeps_layouts_apart(ring: str) -> None:
    """Each budget has its own layout in json and in csv."""
    results = json.loads(run("pack", ring, "--format", "json").out)["results"]
    assert [result["buffers"][0]["versions"] for result in results] == [6, 4, 2]
    lines = run("pack", ring, "--format", "csv").out.splitlines()
    assert len(lines) == 1 + 3 * 2
    assert [line.split(",")[2] for line in lines[1::2]] == [
        f"num_stages={n} epi_stages=4" for n in (6, 4)
    ] + ["num_stages=2 epi_stages=4"]


def test_sweep_does_not_fill(ring: str) -> None:
    """A sweep takes the file's value and says so; --max of a filled parameter tries what `fill` lists."""
    done = run("sweep", ring, "--set", "epi_stages=2..4", "--budget", "h100", "--format", "csv")
    assert [line.split(",")[3] for line in done.out.splitlines()[1:]] == ["81920", "90112", "98304"]
    assert "a sweep fills nothing; --max num_stages gives the largest value that fits" in done.err
    done = run("sweep", ring, "--max", "num_stages", "--budget", "h100", "--format", "csv")
    assert done.out.splitlines()[1].split(",")[0] == "6"


def test_expand_wants_one_plan(ring: str) -> None:
    """Budgets filled to different values are no single explicit scenario."""
    assert run("expand", ring).code == 2
    assert "versions: 3" in run("expand", ring, "--set", "num_stages=3", "--set", "epi_stages=2").out


def test_library_has_the_plan() -> None:
    """A verdict knows what was filled, and a plan without a budget fills nothing."""
    assert smemdsl.loads(RING).check(budget="h100").plan.filled == ("num_stages", "epi_stages")
    assert smemdsl.loads(RING).plan().params == {"num_stages": 2, "epi_stages": 2}
