"""Sweeps as JSON lines."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import run
from tests.texts import GEMM

KEYS = [
    "path",
    "scenario",
    "budget",
    "params",
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
AXES = ("--set", "num_stages=0..3", "--set", "block_K=16,2*16", "--budget", "sm_90", "--budget", "100")
NOTHING = '"no_reuse_bytes":null,"peak_bytes":null,"arena_bytes":null,"used_bytes":null,"budget_bytes":null'

UNKNOWN = '"blocks_per_sm":null,"confidence":null,"limit":null}'


def lines(*arguments: str) -> list[str]:
    """The lines of a sweep."""
    return run("sweep", *arguments, "--format", "jsonl").out.splitlines()


def test_a_line(folder: Path) -> None:
    """Two stages of 128 x 64 and 64 x 128 halves are 65536 B, C 32768 B more; 3 blocks of 64 KiB on sm_90."""
    assert lines("gemm.yaml", "--set", "num_stages=2", "--set", "block_M=128", "--budget", "h100") == [
        '{"path":"gemm.yaml","scenario":"gemm","budget":"sm_90","params":{"num_stages":2},'
        '"no_reuse_bytes":98304,"peak_bytes":65536,"arena_bytes":65536,"used_bytes":65536,'
        '"budget_bytes":232448,"verdict":"OK","blocks_per_sm":3,"confidence":"exact","limit":null}'
    ]


def test_rows_without_figures(folder: Path) -> None:
    """The same keys, with null: a configuration in error, and where no value fits."""
    (invalid,) = lines("gemm.yaml", "--set", "num_stages=0", "--budget", "sm_90")
    head = '{"path":"gemm.yaml","scenario":"gemm","budget":'
    assert invalid == f'{head}"sm_90","params":{{"num_stages":0}},{NOTHING},"verdict":"INVALID",{UNKNOWN}'
    (none,) = lines("gemm.yaml", "--max", "num_stages", "--budget", "4")
    assert none == f'{head}"4","params":{{"num_stages":null}},{NOTHING},"verdict":"OVER",{UNKNOWN}'


def text(value: Any) -> str:
    """A value as csv has it."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(
    "more", [(), ("--max", "num_stages"), ("--fits-only",), ("--set", "block_M=16..999")]
)
def test_the_same_rows_as_csv(folder: Path, more: tuple[str, ...]) -> None:
    """Every line has the keys in their order, and the values of the csv; few rows and many."""
    shown = run("sweep", "gemm.yaml", *AXES, *more, "--format", "csv")
    done = run("sweep", "gemm.yaml", *AXES, *more, "--format", "jsonl")
    assert (done.code, done.err) == (shown.code, shown.err)
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert all(list(row) == KEYS for row in rows)
    flat = [{**row.pop("params"), **row} for row in rows]
    table = list(csv.DictReader(io.StringIO(shown.out)))
    assert [
        {name: text(row[name]) for name in cells} for row, cells in zip(flat, table, strict=True)
    ] == table


def test_values_of_every_kind(folder: Path) -> None:
    """dtypes are strings, truth values true and false; what only the other scenario has is null."""
    kinds = "smemdsl: 1\nparams: {t: float16, on: true}\nbuffers: {a: {shape: [8], dtype: t, when: on}}\n"
    (folder / "kinds.yaml").write_text(kinds, encoding="utf-8")
    axes = ("--set", "t=float32,float16", "--set", "on=false,true")
    found = [
        json.loads(line)["params"]
        for line in lines("kinds.yaml", "gemm.yaml", "--set", "num_stages=1,2", *axes)
    ]
    assert found[0] == {"t": "float32", "on": False, "num_stages": None}
    assert found[-1] == {"t": None, "on": None, "num_stages": 2}


def test_names_of_files_and_scenarios(folder: Path) -> None:
    """Scenarios of one name keep it, since the path tells them apart; characters are as they are."""
    (folder / "o\u00fcther\u2028.yaml").write_text(GEMM.replace("gemm", 'g"\u00fc', 1), encoding="utf-8")
    (folder / "same.yaml").write_text(GEMM, encoding="utf-8")
    found = [json.loads(line) for line in lines("o\u00fcther\u2028.yaml", "gemm.yaml", "same.yaml")]
    assert [row["scenario"] for row in found] == ['g"\u00fc'] * 6 + ["gemm"] * 12
    assert found[-1]["path"] == "same.yaml"


def test_no_grid(folder: Path) -> None:
    """Lines are rows."""
    done = run("sweep", "gemm.yaml", *AXES, "--pivot", "block_K", "--format", "jsonl")
    assert (done.code, done.out) == (2, "")
