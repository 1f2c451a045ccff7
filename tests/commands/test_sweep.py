"""`sweep`: axes, lists of configurations, the largest value, grids, and what is in error."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import run
from tests.texts import GEMM

SIZES = [
    "no_reuse_bytes",
    "peak_bytes",
    "arena_bytes",
    "used_bytes",
    "budget_bytes",
    "verdict",
    "blocks_per_sm",
    "confidence",
    "limit",
]
TILES = """\
smemdsl: 1
name: tiles
params: {block_M: 128, block_N: 128, block_K: 32, num_stages: 1}
buffers:
  A: {shape: [block_M, block_K], dtype: float16, versions: num_stages}
  B: {shape: [block_K, block_N], dtype: float16, versions: num_stages}
sweep: {num_stages: 1..6}
"""
"""The tile budget of the format's description: num_stages x (A + B)."""


def rows(*arguments: str) -> list[dict[str, str]]:
    """The rows of a sweep."""
    return list(csv.DictReader(io.StringIO(run("sweep", *arguments, "--format", "csv").out), strict=True))


def column(name: str, *arguments: str) -> list[str]:
    """One column of the rows of a sweep."""
    return [row[name] for row in rows(*arguments)]


def as_json(*arguments: str) -> dict[str, Any]:
    """The answer in json."""
    value: dict[str, Any] = json.loads(run("sweep", *arguments, "--format", "json").out)
    return value


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", ["1", "2", "3", "4", "5", "6"]),
        ("--set num_stages=2,4", ["2", "4"]),
        ("--set num_stages=4,2,4", ["4", "2"]),
        ("--set num_stages=4,2..5,4", ["4", "2", "3", "5"]),
        ("--set num_stages=1..6:2", ["1", "3", "5"]),
        ("--set num_stages=1..6*2", ["1", "2", "4"]),
        ("--set num_stages=6,1..2", ["6", "1", "2"]),
        ("--set num_stages=3", ["3"]),
        ("--set num_stages=block_M//64,max(1,3)", ["2", "3"]),
        ("--set block_M=64", ["1", "2", "3", "4", "5", "6"]),
        ("--set num_stages=6..9", ["6", "7", "8", "9"]),
        ("--set num_stages=6..9 --fits-only", ["6", "7"]),
        ("--set num_stages=9,8,7,6 --first", ["7"]),
        ("--set num_stages=8..9 --first", []),
        ("--set num_stages=8..9 --fits-only", []),
    ],
)
def test_axes(folder: Path, arguments: str, expected: list[str]) -> None:
    """An axis is the file's or that of `--set`, in its order; `--first` and `--fits-only` leave rows out."""
    assert column("num_stages", "gemm.yaml", *arguments.split()) == expected


@pytest.mark.parametrize("axis", ["1, 1, 1", "1..1, 1"])
def test_a_value_that_is_named_twice(folder: Path, axis: str) -> None:
    """It is judged once, whether the flag or the file names it so, and a note says it."""
    Path("tiles.yaml").write_text(TILES.replace("1..6", f"[{axis}]"), encoding="utf-8")
    for done in (
        run("sweep", "tiles.yaml", "--format", "csv"),
        run("sweep", "gemm.yaml", "--set", f"num_stages={axis}", "--format", "csv"),
    ):
        assert (done.out.count("\n"), done.code) == (2, 0)
        assert done.err.endswith(": num_stages names a value twice; each is judged once\n")


def test_the_first_axis_is_the_slowest(folder: Path) -> None:
    """The file's axes come first, then those of `--set` as they were given."""
    found = rows("gemm.yaml", "--set", "block_N=64,128", "--set", "block_M=64,128", "--set", "num_stages=1,2")
    assert list(found[0]) == ["num_stages", "block_N", "block_M", *SIZES]
    assert [(r["num_stages"], r["block_N"], r["block_M"]) for r in found] == [
        (stages, n, m) for stages in "12" for n in ("64", "128") for m in ("64", "128")
    ]


def test_the_tile_budget(folder: Path) -> None:
    """Section 5 of the format's description: 256 x 256 x 64 takes 65536 B a stage, and three stages fit."""
    (folder / "tiles.yaml").write_text(TILES, encoding="utf-8")
    tile = ["--set", "block_M=256", "--set", "block_N=256", "--set", "block_K=64"]
    found = rows("tiles.yaml", *tile, "--set", "num_stages=2..4")
    assert [(r["arena_bytes"], r["verdict"]) for r in found] == [
        ("131072", "OK"),
        ("196608", "OK"),
        ("262144", "OVER"),
    ]
    assert column("num_stages", "tiles.yaml", *tile, "--max", "num_stages") == ["3"]
    text = run("sweep", "tiles.yaml", *tile, "--set", "num_stages=2..4").out
    assert [line.split()[6:8] for line in text.splitlines()[1:4]] == [
        ["128.0", "56"],
        ["192.0", "84"],
        ["256.0", "112"],
    ]


def test_the_largest_value_as_a_grid(folder: Path) -> None:
    """The table of block_M x block_N and block_K is one command, on a budget of any size."""
    (folder / "tiles.yaml").write_text(TILES, encoding="utf-8")
    sizes = ["--set", "block_M=64,128", "--set", "block_N=64,128", "--set", "block_K=32,64"]
    grid = ["--max", "num_stages", "--pivot", "block_K", "--budget", "32678", "--format", "csv"]
    done = run("sweep", "tiles.yaml", *sizes, *grid)
    # A stage takes 2 * block_K * (block_M + block_N) bytes.
    assert done.out.splitlines() == [
        "block_M,block_N,block_K=32,block_K=64",
        "64,64,3,1",
        "64,128,2,1",
        "128,64,2,1",
        "128,128,1,-",
    ]
    assert done.code == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--max num_stages", [("6", "OK")]),
        ("--max num_stages --set num_stages=1..64", [("7", "OK")]),
        ("--max num_stages --set num_stages=9,3,5", [("5", "OK")]),
        ("--max num_stages --budget 4", [("", "OVER")]),
        (
            "--max num_stages --budget 4 --budget sm_90 --budget 64KiB",
            [("", "OVER"), ("6", "OK"), ("2", "OK")],
        ),
        ("--max num_stages --set num_stages=0..3", [("3", "OK")]),
        ("--max num_stages --set block_K=24,64", [("6", "OK")]),
    ],
)
def test_the_largest_value(folder: Path, arguments: str, expected: list[tuple[str, str]]) -> None:
    """One row for each combination of the other axes and each budget; empty and OVER where nothing fits."""
    found = rows("gemm.yaml", *arguments.split())
    assert [(row["num_stages"], row["verdict"]) for row in found] == expected


def test_constraints_skip_and_count(folder: Path) -> None:
    """A combination that breaks a constraint is no row, but is counted."""
    arguments = ["gemm.yaml", "--set", "num_stages=1", "--set", "block_K=8,16,24,32"]
    assert column("block_K", *arguments) == ["16", "32"]
    assert as_json(*arguments)["summary"] == {"rows": 2, "ok": 2, "over": 0, "invalid": 0, "skipped": 2}
    assert run("sweep", *arguments).out.endswith("\n2 rows: 2 OK; 2 skipped by constraints\n")


def test_configurations_in_error(folder: Path) -> None:
    """They are INVALID rows, the others stand, and what is wrong is told at its line, with the values."""
    done = run("sweep", "gemm.yaml", "--set", "num_stages=0..2", "--format", "csv")
    found = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["num_stages"], row["verdict"]) for row in found] == [
        ("0", "INVALID"),
        ("1", "OK"),
        ("2", "OK"),
    ]
    assert (
        "gemm.yaml:13:20: error[out-of-range] `stages[2]` is -1, but must be at least 0 (with num_stages=0)"
        in done.err
    )
    assert done.code == 2
    answer = as_json("gemm.yaml", "--set", "num_stages=0..2")
    assert answer["results"][0]["verdict"] == "INVALID"
    assert answer["results"][0]["params"] == answer["results"][1]["params"] | {"num_stages": 0}
    assert as_json("gemm.yaml", "--set", "num_stages=1//0,1")["results"][0]["params"] == {
        "num_stages": "1//0"
    }
    assert {d["line"] for d in answer["diagnostics"]} == {13, 21, 27}
    assert answer["summary"] == {"rows": 3, "ok": 2, "over": 0, "invalid": 1, "skipped": 0}


def test_a_flood_of_errors_is_cut(folder: Path) -> None:
    """A thousand configurations in error are a thousand rows, but not a thousand messages."""
    done = run("sweep", "gemm.yaml", "--set", "num_stages=-999..0", "--format", "csv")
    assert len(done.out.splitlines()) == 1001
    assert done.err.count("error[") < 30
    every = 3 * 1000  # three expressions of the file are below what they may be, in each
    assert done.err.endswith(
        f"\nand {every - done.err.count('error['):,} more errors of INVALID configurations\n"
    )


@pytest.mark.parametrize("budget", ["10**30", "1 // 0", "1 - 2", "1 < 2"])
def test_a_budget_without_a_value(folder: Path, budget: str) -> None:
    """One that no parameter can mend is told once, before anything is judged."""
    done = run("sweep", "gemm.yaml", "--set", "num_stages=1..9", "--budget", budget)
    assert (done.code, done.out, done.err.count("error[")) == (2, "", 1)
    assert done.err.startswith("--budget: error[budget] ")


def test_stdout_as_a_file(folder: Path) -> None:
    """`--output -` is stdout, and no file of that name; nothing can go on with it."""
    answer = run("sweep", "gemm.yaml", "--set", "num_stages=1..3", "--format", "csv")
    same = run("sweep", "gemm.yaml", "--set", "num_stages=1..3", "--format", "csv", "--output", "-")
    assert same == answer
    assert not Path("-").exists()
    assert run("sweep", "gemm.yaml", "--output", "-", "--resume").code == 2


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ("--output o.xls", "note: .xls names no format: text is written; --format says otherwise\n"),
        ("--output o.csv --format json", "note: o.csv holds json, as --format says\n"),
        ("--output o.xls --format json", ""),
        ("--output o.csv --format csv", ""),
        ("--output o.csv", ""),
        ("--output o", ""),
    ],
)
def test_an_ending_of_another_format(folder: Path, arguments: str, note: str) -> None:
    """A file whose ending does not say what it holds is written, with a note."""
    done = run("sweep", "gemm.yaml", "--set", "num_stages=1..3", *arguments.split())
    assert (done.code, done.out, done.err) == (0, "", note)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '[{"num_stages": 2}, {"num_stages": 9, "block_K": 32}, {"block_K": "block_M // 4"}]'),
        ("c.yaml", "- {num_stages: 2}\n- num_stages: 9\n  block_K: 32\n- {block_K: block_M // 4}\n"),
        ("c.csv", "num_stages,block_K\n2,\n9,32\n\n,block_M // 4\n"),
        ("C.CSV", '\ufeff"num_stages", block_K\r\n2,\r\n9,32\r\n,block_M // 4\r\n'),
    ],
)
def test_lists_of_configurations(folder: Path, name: str, text: str) -> None:
    """json, yaml and csv say the same; what a configuration leaves out is as in the file."""
    (folder / name).write_text(text, encoding="utf-8")
    found = rows("gemm.yaml", "--configs", name)
    assert [(r["num_stages"], r["block_K"], r["arena_bytes"]) for r in found] == [
        ("2", "64", "65536"),
        ("9", "32", "147456"),
        ("2", "32", "32768"),
    ]
    assert column("num_stages", "gemm.yaml", "--configs", name, "--first") == ["2"]
    assert column("arena_bytes", "gemm.yaml", "--configs", name, "--set", "block_M=64")[0] == "49152"


TRITON: list[dict[str, Any]] = [
    {
        "kwargs": {"block_M": 64},
        "num_warps": 4,
        "num_ctas": 1,
        "num_stages": 2,
        "maxnreg": None,
        "pre_hook": None,
    },
    {
        "kwargs": {"block_M": 128, "block_K": 32},
        "num_warps": 8,
        "num_ctas": 1,
        "num_stages": 4,
        "maxnreg": 128,
    },
]
"""What `config.__dict__` of Triton's configurations is as json."""
LEFT_OUT = (
    "note: num_warps, num_ctas, maxnreg: no parameter here, and without effect on shared memory; left out"
)


def test_configurations_of_an_autotuner(folder: Path) -> None:
    """`kwargs` hold parameters like the options beside them; what only says how to launch is left out."""
    flat = [
        {**c["kwargs"], **{n: v for n, v in c.items() if n != "kwargs" and v is not None}} for c in TRITON
    ]
    answers = []
    for name, configs in (("c.json", TRITON), ("flat.json", flat)):
        (folder / name).write_text(json.dumps(configs), encoding="utf-8")
        done = run("sweep", "gemm.yaml", "--configs", name, "--format", "csv")
        assert (done.code, done.err.startswith(LEFT_OUT)) == (0, True)
        answers.append(done.out)
    assert answers[0] == answers[1]
    found = rows("gemm.yaml", "--configs", "c.json")
    assert [(r["block_M"], r["block_K"], r["num_stages"]) for r in found] == [
        ("64", "64", "2"),
        ("128", "32", "4"),
    ]


def test_launch_options_that_are_parameters(folder: Path) -> None:
    """A scenario with warps gets them: here 1536 threads of an SM are 12 blocks of 4 warps, 6 of 8."""
    text = "smemdsl: 1\nbudget: sm_86\nparams: {num_warps: 1, n: 1}\nthreads: 32 * num_warps\n"
    (folder / "warps.yaml").write_text(f"{text}buffers: {{A: {{bytes: n}}}}\n", encoding="utf-8")
    configs = [{"kwargs": {"n": 8}, "num_warps": warps, "num_ctas": 1} for warps in (4, 8)]
    (folder / "c.json").write_text(json.dumps(configs), encoding="utf-8")
    assert column("blocks_per_sm", "warps.yaml", "--configs", "c.json") == ["12", "6"]
    assert "note: num_ctas: no parameter here" in run("sweep", "warps.yaml", "--configs", "c.json").err


def test_configurations_of_the_file(folder: Path) -> None:
    """`configs:` in the file is swept where no axes are asked for."""
    text = GEMM.replace(
        "sweep:\n  num_stages: 1..6\n", "configs:\n  - {num_stages: 8}\n  - {num_stages: 3}\n"
    )
    (folder / "listed.yaml").write_text(text, encoding="utf-8")
    assert column("verdict", "listed.yaml") == ["OVER", "OK"]
    assert column("num_stages", "listed.yaml", "--first") == ["3"]
    assert column("num_stages", "listed.yaml", "--set", "block_M=64") == ["8", "3"]
    done = run("sweep", "listed.yaml", "--set", "block_M=64,128")
    assert (done.code, "so --set block_M takes one value" in done.err) == (2, True)
    assert run("sweep", "listed.yaml", "--max", "num_stages").code == 2


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("c.csv", "num_stages,num_stages\n1,2\n", ["c.csv:1:1: error[configs] 'num_stages' heads two"]),
        ("c.csv", "num_stages,\n1,2\n", ["c.csv:1:1: error[configs] a column has no name"]),
        ("c.csv", "num_stages\n1,2\n", ["c.csv:2:1: error[configs] 2 cells, where the first line has 1"]),
        ("c.csv", 'num_stages\n"1\n', ["c.csv:2:1: error[configs]"]),
        ("c.csv", "", ["c.csv: error[configs] lists no configuration"]),
        ("c.csv", "num_stages\n", ["c.csv: error[configs] lists no configuration"]),
        (
            "c.csv",
            "num_stages\n1\n1.5\nx\n",
            ["c.csv:3:1: error[expr-syntax] num_stages=1.5", "c.csv:4:1: error[expr-name] num_stages=x"],
        ),
        ("c.csv", "stages\n1\n", ["--configs: error[unknown-parameter] no scenario here has"]),
        ("c.json", "[]", ["c.json: error[configs] lists no configuration"]),
        ("c.json", "", ["c.json:1:1: error[empty]"]),
        ("c.json", '{"a": 1}', ["c.json:1:1: error[configs] expected a list of configurations"]),
        ("c.json", "[{}, 1]", ["c.json:1:2: error[configs]", "c.json:1:6: error[configs]"]),
        ("c.json", '[{"num_stages": null}]', ["c.json:1:17: error[configs] num_stages must be"]),
        ("c.json", '[{"num_stages": 1.5}]', ["c.json:1:17: error[yaml-float]"]),
        ("c.json", '[{"num_stages": "x"},\n {"block_M": "num_stages"}]', [
            "c.json:1:17: error[expr-name] num_stages=x", "c.json:2:14: error[expr-name] block_M=num_stages",
        ]),
        ("c.json", '[{"kwargs": {"num_stages": null}}]', ["c.json:1:28: error[configs] num_stages must be"]),
        ("c.json", '[{"kwargs": {"num_stages": "x"}}]', ["c.json:1:28: error[expr-name] num_stages=x"]),
        ("c.json", '[{"kwargs": {"num_stages": 2}, "num_stages": 3}]', ["c.json:1:32: error[configs]"]),
        ("c.json", '[{"kwargs": {"stages": 2}}]', ["--configs: error[unknown-parameter] no"]),
        ("c.json", '[{"kwargs": 3}]', ["--configs: error[unknown-parameter] no scenario here has"]),
        ("c.json", '[{"a": 1}', ["c.json:1:1: error[yaml-syntax]"]),
        ("c.yaml", "- {num_stages: 1}\n- {num_stages: 1\n", ["c.yaml:2:3: error[yaml-syntax]"]),
    ],
)  # fmt: skip
def test_lists_without_meaning(folder: Path, name: str, text: str, expected: list[str]) -> None:
    """All that is wrong with a list is told at its place in the list."""
    (folder / name).write_text(text, encoding="utf-8")
    done = run("sweep", "gemm.yaml", "--configs", name)
    heads = [line for line in done.err.splitlines() if "error[" in line]
    assert done.code == 2
    assert [head.startswith(start) for head, start in zip(heads, expected, strict=True)] == [True] * len(
        heads
    )


def test_several_scenarios_and_budgets(folder: Path) -> None:
    """Columns for scenario and budget stand first, and only where there are several."""
    (folder / "tiles.yaml").write_text(TILES, encoding="utf-8")
    found = rows("gemm.yaml", "tiles.yaml", "--set", "num_stages=2", "--budget", "sm_80", "--budget", "h100")
    assert list(found[0]) == ["scenario", "budget", "num_stages", *SIZES]
    assert [(row["scenario"], row["budget"]) for row in found] == [
        ("gemm", "sm_80"),
        ("gemm", "sm_90"),
        ("tiles", "sm_80"),
        ("tiles", "sm_90"),
    ]
    assert list(rows("gemm.yaml")[0]) == ["num_stages", *SIZES]


def test_scenarios_of_one_name(folder: Path) -> None:
    """Their paths tell them apart, so that no row of a grid hides another."""
    (folder / "other.yaml").write_text(GEMM, encoding="utf-8")
    arguments = ["gemm.yaml", "other.yaml", "--set", "num_stages=1,2"]
    assert set(column("scenario", *arguments)) == {"gemm (gemm.yaml)", "gemm (other.yaml)"}
    grid = run("sweep", *arguments, "--pivot", "num_stages", "--format", "csv").out.splitlines()
    assert len(grid) == 3
    assert [result["scenario"] for result in as_json(*arguments)["results"]] == ["gemm"] * 4


def test_what_is_not_valid_is_left_out(folder: Path) -> None:
    """The sound scenarios are swept, the others told and counted, in json too; the code is 2."""
    arguments = ["bad.yaml", "gemm.yaml", "none.yaml", "fits.yaml"]
    done = run("sweep", *arguments)
    assert (done.code, done.out.endswith("\n6 rows: 6 OK; 3 invalid scenarios left out\n")) == (2, True)
    heads = [line for line in done.err.splitlines() if "error[" in line]
    assert [head.split(" ")[0:2] for head in heads] == [
        ["bad.yaml:2:22:", "error[expr-name]"],
        ["none.yaml:", "error[not-found]"],
        ["fits.yaml:", "error[no-axes]"],
    ]
    answer = as_json(*arguments)
    assert [d["code"] for d in answer["diagnostics"]] == ["expr-name", "not-found", "no-axes"]
    assert len(answer["results"]) == 6


def test_json(folder: Path) -> None:
    """A row is a result as `check` has it, and the axes and counts stand beside them."""
    answer = as_json("gemm.yaml", "--set", "num_stages=4")
    assert list(answer) == ["schema_version", "command", "axes", "results", "diagnostics", "summary"]
    assert answer["axes"] == ["num_stages"]
    check = json.loads(run("check", "gemm.yaml", "--set", "num_stages=4", "--format", "json").out)
    assert answer["results"] == check["results"]
    assert as_json("gemm.yaml", "--max", "num_stages", "--budget", "4")["results"] == [
        {
            "path": "gemm.yaml",
            "scenario": "gemm",
            "params": {"num_stages": None},
            "budget": {"name": "4"},
            "verdict": "OVER",
        }
    ]


def test_a_sweep_is_many_checks(folder: Path) -> None:
    """Each row of a sweep has the numbers of `check` with the same values."""
    for row in rows("gemm.yaml", "--set", "num_stages=1..8", "--set", "block_M=32,96"):
        values = ["--set", f"num_stages={row['num_stages']}", "--set", f"block_M={row['block_M']}"]
        (same,) = csv.DictReader(io.StringIO(run("check", "gemm.yaml", *values, "--format", "csv").out))
        assert {name: same[name] for name in SIZES} == {name: row[name] for name in SIZES}


def test_dtypes_and_truth_values(folder: Path) -> None:
    """An axis may hold dtypes, truth values and expressions, shown as the file would write them."""
    text = (
        "smemdsl: 1\nparams: {t: float16, on: true, n: 4}\nbuffers: {a: {shape: [n], dtype: t, when: on}}\n"
    )
    (folder / "types.yaml").write_text(text, encoding="utf-8")
    found = rows("types.yaml", "--set", "t=fp16, float32", "--set", "on=true,false", "--set", "n=4,2*4")
    assert [(r["t"], r["on"], r["n"], r["arena_bytes"]) for r in found] == [
        (t, on, n, str(size * int(n) if on == "true" else 0))
        for t, size in (("float16", 2), ("float32", 4))
        for on in ("true", "false")
        for n in ("4", "8")
    ]


def test_the_first_of_each_scenario_for_each_budget(folder: Path) -> None:
    """Each budget is a question of its own: by hand, 32 KiB a stage; a constraint counts once a scenario."""
    (folder / "two.yaml").write_text(GEMM.replace("name: gemm\n", "name: two\n"), encoding="utf-8")
    budgets = [word for size in ("64 KiB", "1", "160 KiB") for word in ("--budget", size)]
    asked = ("gemm.yaml", "two.yaml", "--set", "num_stages=6,5,4,3,2,1", "--first", *budgets)
    found = rows(*asked)
    assert [(r["budget"], r["num_stages"]) for r in found] == [("64 KiB", "2"), ("160 KiB", "5")] * 2
    text = run("sweep", *asked).out
    assert text.endswith("\n26 rows: 4 OK, 22 OVER\n")  # each until the first: 5, 6 and 2
    done = run("sweep", "gemm.yaml", "--set", "block_K=63,64", "--set", "num_stages=6,2", "--first", *budgets)
    assert "2 skipped by constraints" in done.out
