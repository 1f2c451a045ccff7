"""Sweeps as parquet files."""

from __future__ import annotations

import csv
import io
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from smemdsl.output.formats import parquet
from tests.commands.running import run

AXES = ("--set", "num_stages=0..3", "--set", "block_K=16,block_M", "--budget", "sm_90", "--budget", "100")


def table(file: str) -> Any:
    """A parquet file as a table of pyarrow; the test is left out where that is not installed."""
    pytest.importorskip("pyarrow")
    return import_module("pyarrow.parquet").read_table(file)


@pytest.mark.parametrize("more", [(), ("--max", "num_stages"), ("--jobs", "2"), ("--fits-only",)])
def test_the_same_rows_as_csv(folder: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]) -> None:
    """Every cell is that of the csv, also across row groups; what is empty there is missing here."""
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(parquet, "ROWS", 3)
    shown = run("sweep", "gemm.yaml", *AXES, "--format", "csv", *more)
    done = run("sweep", "gemm.yaml", *AXES, "--format", "parquet", "--output", "rows.parquet", *more)
    assert (done.code, done.out, done.err) == (shown.code, "", shown.err)
    rows = [
        {k: "" if v is None else str(v) for k, v in row.items()} for row in table("rows.parquet").to_pylist()
    ]
    assert [{k: v for k, v in row.items() if k not in {"path", "scenario"}} for row in rows] == [
        dict(row) for row in csv.DictReader(io.StringIO(shown.out))
    ]
    assert {(row["path"], row["scenario"]) for row in rows} == {("gemm.yaml", "gemm")}


def test_types(folder: Path) -> None:
    """Integers are integers, also where some are missing; a parameter with an expression is text."""
    pytest.importorskip("pyarrow")
    run("sweep", "gemm.yaml", *AXES, "--format", "parquet", "--output", "rows.parquet")
    types = {field.name: str(field.type) for field in table("rows.parquet").schema}
    assert types["num_stages"] == types["arena_bytes"] == types["blocks_per_sm"] == "int64"
    assert types["block_K"] == types["verdict"] == "string"


def test_what_it_needs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file to write to, and pyarrow."""
    done = run("sweep", "gemm.yaml", "--format", "parquet")
    assert (done.code, done.out) == (2, "")
    assert "--format parquet needs --output FILE" in done.err
    monkeypatch.setattr(parquet, "available", lambda: False)
    done = run("sweep", "gemm.yaml", "--format", "parquet", "--output", "rows.parquet")
    assert (done.code, done.out) == (2, "")
    assert "--format parquet needs pyarrow: pip install 'smemdsl[parquet]'" in done.err
