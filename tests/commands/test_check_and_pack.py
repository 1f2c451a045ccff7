"""`check` and `pack`: which rows come out, what json and csv hold, what goes to stderr."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import run
from tests.texts import GEMM

RESULT = [
    "path", "scenario", "params", "policy", "budget", "static_bytes", "no_reuse_bytes", "peak_bytes",
    "arena_bytes", "used_bytes", "verdict", "limit", "blocks_per_sm", "confidence",
]  # fmt: skip
"""The keys of a result, in the order of the format's description."""


def as_json(*arguments: str, stdin: bytes = b"") -> dict[str, Any]:
    """The answer of a command in json."""
    value: dict[str, Any] = json.loads(run(*arguments, "--format", "json", stdin=stdin).out)
    return value


def as_csv(*arguments: str) -> list[dict[str, str]]:
    """The answer of a command in csv."""
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").out), strict=True))


def verdicts(*arguments: str) -> list[str]:
    """`scenario budget verdict` of each row."""
    return [f"{row['scenario']} {row['budget']} {row['verdict']}" for row in as_csv(*arguments)]


def test_json_of_check(folder: Path) -> None:
    """Its keys come in the documented order, sizes are integers, and a run gives the same bytes each time."""
    answer = as_json("check", "gemm.yaml", "--set", "num_stages=4")
    assert list(answer) == ["schema_version", "command", "results", "diagnostics", "summary"]
    assert (answer["schema_version"], answer["command"], answer["diagnostics"]) == (1, "check", [])
    (result,) = answer["results"]
    assert list(result) == RESULT
    assert result == {
        "path": "gemm.yaml",
        "scenario": "gemm",
        "params": {"block_M": 128, "block_N": 128, "block_K": 64, "num_stages": 4},
        "policy": "tilelang",
        "budget": {"name": "sm_90/sm", "bytes": 233472},
        "static_bytes": 0,
        "no_reuse_bytes": 163840,
        "peak_bytes": 131072,
        "arena_bytes": 131072,
        "used_bytes": 131072,
        "verdict": "OK",
        "blocks_per_sm": 1,
        "confidence": "exact",
        "limit": None,
    }
    assert answer["summary"] == {"scenarios": 1, "ok": 1, "over": 0, "fail": 0, "invalid": 0}
    assert run("check", "gemm.yaml", "--format", "json") == run("check", "gemm.yaml", "--format", "json")


def test_json_of_pack(folder: Path) -> None:
    """A result of `pack` is one of `check` with the buffers after it."""
    (result,) = as_json("pack", "gemm.yaml", "--set", "num_stages=4")["results"]
    assert list(result)[: len(RESULT)] == RESULT
    assert result["buffers"] == [
        {"name": "A_shared", "versions": 4, "bytes": 65536, "align": 128, "live": [9, 57], "offset": 0},
        {"name": "B_shared", "versions": 4, "bytes": 65536, "align": 128, "live": [10, 57], "offset": 65536},
        {"name": "C_shared", "versions": 1, "bytes": 32768, "align": 128, "live": [57, 59], "offset": 0},
    ]
    assert result["storage_groups"] == [{"start": 0, "end": 65536, "buffers": ["A_shared", "C_shared"]}]
    assert result["hand_overs"] == [{"slot": 57, "buffer": "C_shared", "from": ["A_shared"]}]
    assert result["peak"] == {"slot": 10, "buffers": ["A_shared", "B_shared"]}


def test_json_of_a_batch(folder: Path) -> None:
    """Every input is counted once, and what is wrong with it stands in the answer, with its place."""
    answer = as_json(
        "check", "bad.yaml", "none.yaml", "over.yaml", "missed.yaml", "fits.yaml", "expected.yaml"
    )
    assert [result["path"] for result in answer["results"]] == [
        "over.yaml", "missed.yaml", "fits.yaml", "expected.yaml",
    ]  # fmt: skip
    assert answer["summary"] == {"scenarios": 6, "ok": 1, "over": 2, "fail": 1, "invalid": 2}
    found = answer["diagnostics"]
    keys = ["path", "line", "column", "severity", "code", "message", "hint"]
    assert [list(diagnostic)[: len(keys)] for diagnostic in found] == [keys] * 3
    assert [(d["path"], d["line"], d["column"], d["code"]) for d in found] == [
        ("bad.yaml", 2, 22, "expr-name"),
        ("none.yaml", None, None, "not-found"),
        ("missed.yaml", 3, 17, "expect-arena"),
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("fits.yaml over.yaml", ["fits sm_90/sm OK", "over 100 OVER"]),
        ("over.yaml fits.yaml", ["over 100 OVER", "fits sm_90/sm OK"]),
        ("fits.yaml --budget h100", ["fits sm_90 OK"]),
        ("fits.yaml over.yaml --budget 100KiB --budget sm_80", [
            "fits 100KiB OK", "fits sm_80 OK", "over 100KiB OK", "over sm_80 OK",
        ]),
        ("gemm.yaml --budget block_M*512 --budget 0x10000", ["gemm block_M*512 OK", "gemm 0x10000 OK"]),
        ("gemm.yaml --set num_stages=8", ["gemm sm_90/sm OVER"]),
        ("gemm.yaml --set num_stages=block_M//16", ["gemm sm_90/sm OVER"]),
        ("broken.yaml --set n=2", ["broken sm_90/sm OK"]),
        ("broken.yaml", ["broken sm_90/sm FAIL"]),
    ],
)  # fmt: skip
def test_rows(folder: Path, arguments: str, expected: list[str]) -> None:
    """One row a scenario and budget, in the order in which they were given."""
    assert verdicts("check", *arguments.split()) == expected


@pytest.mark.parametrize(
    ("command", "flag"),
    [
        *((command, "--set") for command in ("check", "pack", "sweep", "diff", "expand")),
        *((command, "--fill") for command in ("check", "pack")),
        *((f"{command} -o out", flag) for command in ("plot", "report") for flag in ("--set", "--fill")),
    ],
)
def test_a_name_given_twice(folder: Path, command: str, flag: str) -> None:
    """One of the values would be lost, so it is wrong usage, for every command."""
    twice = (flag, "num_stages=1..3", flag, "block_M=64", flag, "num_stages = 4..6")
    done = run(*command.split(), "gemm.yaml", *twice)
    assert (done.code, done.out) == (2, "")
    assert f"error[usage] {flag} gives num_stages twice: 1..3 and 4..6; write one of them" in done.err


@pytest.mark.parametrize(
    ("policy", "arena"),
    [("tilelang", 65536), ("sequential", 98304), ("struct", 98304), ("triton", 65536), ("firstfit", 65536)],
)
def test_policies(folder: Path, policy: str, arena: int) -> None:
    """`--policy` packs every scenario anew: two of them reuse nothing."""
    (row,) = as_csv("check", "gemm.yaml", "--policy", policy)
    assert (row["policy"], int(row["arena_bytes"])) == (policy, arena)


def test_alignment(folder: Path) -> None:
    """`--align` is the default alignment of every file, which TileLang also rounds the arena to."""
    (folder / "two.yaml").write_text(
        "smemdsl: 1\nbuffers: {a: {bytes: 4}, b: {bytes: 4}}\n", encoding="utf-8"
    )
    arenas = [as_csv("check", "two.yaml", *flags)[0]["arena_bytes"] for flags in ([], ["--align", "16"])]
    assert arenas == ["256", "32"]


def test_standard_input(folder: Path) -> None:
    """`-` is one more path."""
    answer = as_json("check", "-", "fits.yaml", stdin=GEMM.encode())
    assert [result["path"] for result in answer["results"]] == ["<stdin>", "fits.yaml"]


def test_scenarios_of_one_name(folder: Path) -> None:
    """Where several files have the same name, their paths tell them apart."""
    (folder / "d").mkdir()
    (folder / "d/fits.yaml").write_text("smemdsl: 1\nbuffers: {a: {bytes: 16}}\n", encoding="utf-8")
    out = run("check", "fits.yaml", "d").out
    assert "fits (fits.yaml)" in out
    assert "fits (d/fits.yaml)" in out


def test_matrix(folder: Path) -> None:
    """One row a scenario and one column a budget, a verdict in each cell."""
    done = run("check", "fits.yaml", "gemm.yaml", "--budget", "sm_75", "--budget", "sm_80", "--matrix")
    assert [line.split() for line in done.out.splitlines()[:3]] == [
        ["scenario", "sm_75", "sm_80"],
        ["fits", "OK", "OK"],
        ["gemm", "OK", "OK"],
    ]
    assert done.code == 0
    budgets = ["--budget", "4", "--budget", "sm_80", "--matrix"]
    assert run("check", "fits.yaml", *budgets).code == 1
    assert len(as_json("check", "fits.yaml", *budgets)["results"]) == 2
    assert len(as_csv("check", "fits.yaml", *budgets)) == 2


def test_only_the_answer_is_on_stdout(folder: Path) -> None:
    """Problems, warnings and notes go to stderr, in text as in every other format."""
    for style in ("text", "json", "csv", "markdown"):
        done = run("check", "bad.yaml", "warned.yaml", "missed.yaml", "--align", "128", "--format", style)
        assert "bad.yaml:2:22: error[expr-name] unknown name 'x'" in done.err
        assert "warned.yaml:2:10: warning[non-portable-cluster]" in done.err
        assert "note: expectations are not verified under --align" in done.err
        assert "error[" not in done.out
        assert "note:" not in done.out


def test_what_is_shown_of_a_fault(folder: Path) -> None:
    """Place and message, the line with a caret below the part at fault, and the hint."""
    assert run("check", "bad.yaml").err == (
        "bad.yaml:2:22: error[expr-name] unknown name 'x'\n"
        "  buffers: {a: {bytes: x}}\n"
        "                       ^\n"
        "  hint: no names are defined here\n"
        "note: `smemdsl explain expr-name` says more\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "check gemm.yaml --set stages=2",
            "--set: error[unknown-parameter] no scenario here has a parameter",
        ),
        ("check gemm.yaml --budget sm_9", "--budget: error[budget] 'sm_9' is not a device"),
        ("check gemm.yaml --budget 100KB", "--budget: error[budget] 'KB' means 1000 to some"),
        (
            "check gemm.yaml --budget 4090",
            "--budget: error[budget] 4090 is a size, and a short name of sm_89",
        ),
        ("check gemm.yaml --set num_stages=q", "gemm.yaml: error[expr-name] num_stages=q: unknown name 'q'"),
        ("check gemm.yaml --set num_stages=null", "gemm.yaml: error[expr-name] num_stages=null: unknown"),
        ("check gemm.yaml --set num_stages=99999999999999999999", "gemm.yaml: error[expr-"),
        ("check gemm.yaml --set num_stages=1.5", "gemm.yaml: error[expr-syntax] num_stages=1.5: '1.5' is no"),
        ("check gemm.yaml --set num_stages=1//0", "gemm.yaml: error[expr-zero-division] --set num_stages:"),
        ("check gemm.yaml --set num_stages=0", "gemm.yaml:13:20: error[out-of-range] `stages[2]` is -1"),
        ("check gemm.yaml --set block_M=float16", "gemm.yaml: error[expr-type] block_M is a number"),
        ("check gemm.yaml --budget 0-4", "--budget: error[budget] a budget is 0 or more"),
        ("chek gemm.yaml", "smemdsl: error[usage] unknown command 'chek'; did you mean check"),
        ("check", "smemdsl check: error[usage] Missing argument"),
        ("check gemm.yaml --align 48", "smemdsl check: error[usage] Invalid value for '--align': '48' is no"),
        ("check gemm.yaml --set num_stages", "'num_stages' is not of the form name=value"),
    ],
)
def test_flags_without_meaning(folder: Path, arguments: str, message: str) -> None:
    """A flag that is wrong is named, with what is wrong."""
    done = run(*arguments.split())
    assert (done.code, message in done.err) == (2, True), done.err


def test_a_flag_that_is_wrong_ends_the_run_and_hides_nothing(folder: Path) -> None:
    """The files that are not valid are told all the same."""
    done = run("check", "bad.yaml", "gemm.yaml", "--set", "stages=2")
    assert "bad.yaml:2:22" in done.err
    assert "--set: error" in done.err
    assert done.out == ""


def test_expectations_are_skipped_aloud(folder: Path) -> None:
    """Under a flag that changes the question they are not verified, and a note says so; `pack` never does."""
    assert run("check", "missed.yaml").code == 1
    for flags in (["--budget", "sm_90"], ["--policy", "struct"], ["--align", "16"]):
        done = run("check", "missed.yaml", *flags)
        assert (done.code, f"not verified under {flags[0]}" in done.err) == (0, True)
        assert "not verified" not in run("check", "fits.yaml", *flags).err
    assert run("pack", "missed.yaml").err == ""
