"""The scenarios that ship: each keeps its promises, and its numbers are those worked out by hand.

`cases.jsonl` are budgets of public kernels that somebody worked out: what a block takes, and the limit that
it is held against.
"""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from smemdsl.cli import cli
from tests.shipped import FILES, ROOT, Row, load, rows

SCHEMA = ROOT.parent / "schema" / "scenario.schema.json"
CASES = rows("cases")
KIB = 1024
SM_90_SM = 233472


def test_files_are_there() -> None:
    """The top four, every case, and kernels of both compilers for sm_80 and sm_90 ship."""
    assert {"plain", "epilogue", "carry", "gemm-tiles"} == {name for name in FILES if "/" not in name}
    assert {f"cases/{case['id']}" for case in CASES} == {name for name in FILES if name.startswith("cases/")}
    kernels = [name for name in FILES if name.startswith(("tilelang/", "triton/"))]
    assert len(kernels) >= 18
    assert {name.rsplit("_", 1)[-1] for name in kernels} >= {"sm80", "sm90"}


@pytest.mark.parametrize("name", FILES)
def test_file_keeps_its_promises(name: str) -> None:
    """Every verdict of the file as it stands passes, and the file expects something."""
    scenario = load(name)
    verdicts = scenario.own_verdicts()
    assert [verdict.failures for verdict in verdicts] == [()] * len(verdicts)
    assert all(verdict.passes for verdict in verdicts)
    assert scenario.spec.expect is not None
    assert scenario.spec.expect.fits is not None


@pytest.mark.parametrize("name", FILES)
def test_file_is_written_for_readers(name: str) -> None:
    """The first line leads an editor to the schema; a comment and a summary say what the file is."""
    path = ROOT / f"{name}.yaml"
    lines = path.read_text("utf-8").splitlines()
    found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", lines[0])
    assert found is not None
    assert (path.parent / found[1]).resolve() == SCHEMA.resolve()
    assert lines[1] == "#"
    assert lines[2].startswith("# ")
    assert re.search(r"^summary: .{40,}$", "\n".join(lines), re.MULTILINE)
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith("cases/")])
def test_file_says_what_to_sweep(name: str) -> None:
    """Every file but a case has axes or configurations."""
    spec = load(name).spec
    assert spec.axes or spec.configs


@pytest.mark.parametrize("name", [name for name in FILES if name != "gemm-tiles"])
def test_sweep_has_no_invalid_row(name: str) -> None:
    """Each configuration that the file names has a meaning, and at least one fits."""
    spec = load(name).spec
    if spec.axes or spec.configs:
        result = CliRunner().invoke(cli, ["sweep", str(ROOT / f"{name}.yaml"), "--format", "csv"])
        assert result.exit_code == 0
        assert "INVALID" not in result.output


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_takes_what_its_author_says(case: Row) -> None:
    """A case uses the bytes that its author worked out, and is held against the limit stated there."""
    scenario = load(f"cases/{case['id']}")
    verdict = scenario.own_verdicts()[0]
    assert verdict.used_bytes == case["expected_bytes"]
    assert verdict.fits == (case["expected_bytes"] <= case["limit"])
    if scenario.spec.blocks_per_sm is None:
        assert verdict.budget.bytes == case["limit"]


class Case(NamedTuple):
    """A row of a table worked out by hand, with block_M = block_N = 128, block_K = 64, float16, extent 16."""

    scenario: str
    num_stages: int
    versions: dict[str, int]
    live: dict[str, tuple[int, int]]
    offset: dict[str, int]
    no_reuse_kib: int
    arena_kib: int
    verdict: str


# A loop of n statements, 16 iterations and largest stage s takes (16 + s) * n slots, the first s * n the
# prologue: n = 3 with 2 stages ends at 51, with 4 at 57; n = 4 with 4 stages ends at 76, with 5 at 80.
TABLE = (
    Case("plain", 2, {"A": 2, "B": 2}, {"A": (3, 51), "B": (4, 51)}, {"A": 0, "B": 32}, 64, 64, "OK"),
    Case("plain", 7, {"A": 7, "B": 7}, {"A": (18, 66), "B": (19, 66)}, {"A": 0, "B": 112}, 224, 224, "OK"),
    Case("plain", 8, {"A": 8, "B": 8}, {"A": (21, 69), "B": (22, 69)}, {"A": 0, "B": 128}, 256, 256, "OVER"),
    Case(
        "epilogue",
        2,
        {"A": 2, "B": 2, "C": 1},
        {"A": (3, 51), "B": (4, 51), "C": (51, 53)},
        {"A": 0, "B": 32, "C": 0},
        96,
        64,
        "OK",
    ),
    Case(
        "epilogue",
        4,
        {"A": 4, "B": 4, "C": 1},
        {"A": (9, 57), "B": (10, 57), "C": (57, 59)},
        {"A": 0, "B": 64, "C": 0},
        160,
        128,
        "OK",
    ),
    Case(
        "carry",
        4,
        {"A": 4, "B": 4, "S": 4},
        {"A": (12, 76), "B": (13, 76), "S": (14, 76)},
        {"A": 0, "B": 64, "S": 128},
        192,
        192,
        "OK",
    ),
    Case(
        "carry",
        5,
        {"A": 5, "B": 5, "S": 5},
        {"A": (16, 80), "B": (17, 80), "S": (18, 80)},
        {"A": 0, "B": 80, "S": 160},
        240,
        240,
        "OVER",
    ),
)


@pytest.mark.parametrize("case", TABLE, ids=[f"{case.scenario}-{case.num_stages}" for case in TABLE])
def test_pipelines_by_hand(case: Case) -> None:
    """Versions, lives, offsets, sums and verdicts of the pipelined GEMMs are those of the arithmetic."""
    verdict = load(case.scenario).check(num_stages=case.num_stages)
    plan = verdict.plan
    names = [buffer.name.removesuffix("_shared") for buffer in plan.lowered.buffers]
    assert dict(zip(names, plan.lowered.versions, strict=True)) == case.versions
    assert {n: (b.start, b.end) for n, b in zip(names, plan.lowered.buffers, strict=True)} == case.live
    assert dict(zip(names, plan.packing.offsets, strict=True)) == {n: o * KIB for n, o in case.offset.items()}
    assert (plan.no_reuse, plan.packing.arena) == (case.no_reuse_kib * KIB, case.arena_kib * KIB)
    assert (verdict.budget.bytes, verdict.verdict) == (SM_90_SM, case.verdict)


@pytest.mark.parametrize(
    ("num_stages", "arena", "percent", "fits"),
    [(2, 131072, 56, True), (3, 196608, 84, True), (4, 262144, 112, False)],
)
def test_tile_budget_by_hand(num_stages: int, arena: int, percent: int, fits: bool) -> None:
    """A 256 x 256 x 64 tile takes 65536 B a stage, and the fourth stage does not fit an H100's SM."""
    verdict = load("gemm-tiles").check(block_M=256, block_N=256, block_K=64, num_stages=num_stages)
    assert (verdict.arena_bytes, verdict.fits) == (arena, fits)
    assert round(100 * arena / verdict.budget.bytes) == percent


def test_largest_stage_counts_in_one_command() -> None:
    """One command gives the largest stage count of every tile, as a grid over block_K."""
    arguments = ["sweep", str(ROOT / "gemm-tiles.yaml"), "--max", "num_stages", "--pivot", "block_K"]
    result = CliRunner().invoke(cli, [*arguments, "--format", "csv"])
    grid = list(csv.reader(result.stdout.splitlines()))
    assert result.exit_code == 0
    assert len(grid) == 1 + 9
    for m, n, *counts in grid[1:]:
        a_stage = [(int(m) + int(n)) * k * 2 for k in (16, 32, 64, 128)]
        assert [int(count) for count in counts] == [min(6, SM_90_SM // size) for size in a_stage]
    assert grid[-1] == ["256", "256", "6", "6", "3", "1"]


def test_a_small_budget_as_csv() -> None:
    """A budget of 32678 bytes and CSV are two options of the same command; whoever fits is under it."""
    arguments = ["sweep", str(ROOT / "gemm-tiles.yaml"), "--budget", "32678", "--format", "csv"]
    result = CliRunner().invoke(cli, arguments)
    table = list(csv.DictReader(result.stdout.splitlines()))
    assert result.exit_code == 0
    assert len(table) == 3 * 3 * 4 * 6
    for row in table:
        elements = (int(row["block_M"]) + int(row["block_N"])) * int(row["block_K"])
        assert int(row["arena_bytes"]) == int(row["num_stages"]) * elements * 2
        assert row["verdict"] == ("OK" if int(row["arena_bytes"]) <= 32678 else "OVER")
    assert {row["verdict"] for row in table} == {"OK", "OVER"}
