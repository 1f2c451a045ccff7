"""Whole outputs, as a person sees them. Written anew with UPDATE_GOLDEN=1, then read in the diff."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.commands.running import run

HERE = Path(__file__).parent
CASES = {
    "check-one": "check gemm.yaml",
    "check-parameters": "check gemm.yaml attention.yaml --set stages=3 --set block_M=256",
    "check-budgets": "check attention.yaml",
    "check-batch": "check gemm.yaml over.yaml expected-over.yaml missed.yaml bad.yaml none.yaml",
    "check-bad": "check bad.yaml no-shape.yaml tab.yaml twice.yaml",
    "check-matrix": "check gemm.yaml attention.yaml over.yaml --budget sm_75 --budget a100 --matrix",
    "check-markdown": "check gemm.yaml attention.yaml over.yaml --format markdown",
    "check-csv": "check gemm.yaml attention.yaml over.yaml --format csv",
    "check-json": "check gemm.yaml expected-over.yaml no-shape.yaml --format json",
    "check-flags": "check gemm.yaml --set block_m=64 --budget h10 --budget '64 KB'",
    "pack-one": "pack gemm.yaml",
    "pack-budgets": "pack attention.yaml",
    "pack-over": "pack over.yaml missed.yaml",
    "pack-request": "pack request.yaml",
    "pack-policy": "pack gemm.yaml --policy struct --align 1024 --budget 96KiB",
    "pack-optimal": "pack over.yaml --policy optimal",
    "pack-markdown": "pack gemm.yaml --format markdown",
    "pack-csv": "pack gemm.yaml attention.yaml --format csv",
    "pack-json": "pack attention.yaml --budget h100 --format json",
    # the bytes, lives and places of these programs are what the compilers gave (tests/data, tests/program)
    "explain-file": "pack gemm.yaml --explain",
    "explain-tilelang-sm_80": "pack builtin:programs/gemm_staged_sm80 builtin:programs/carry_program"
    " --explain",
    "explain-tilelang-sm_90": "pack builtin:programs/mha_bwd_sm90 builtin:programs/gdn_chunk_o_sm90"
    " --explain",
    "explain-triton": "pack triton-gemm.yaml --explain",
    "sweep-text": "sweep attention.yaml",
    "sweep-max": "sweep tiles.yaml --set block_M=128,256 --set block_N=64..256*2 --max num_stages",
    "sweep-max-pivot": "sweep tiles.yaml --set block_M=128,256 --set block_N=64..256*2 --set block_K=32,64"
    " --max num_stages --pivot block_K --budget 64KiB",
    "sweep-pivot": "sweep attention.yaml --pivot block_N --budget a100",
    "sweep-markdown": "sweep tiles.yaml --set num_stages=4..8 --format markdown",
    "sweep-csv": "sweep gemm.yaml tiles.yaml --set num_stages=2,9 --format csv",
    "sweep-json": "sweep tiles.yaml --set num_stages=0..1 --format json",
    "sweep-invalid": "sweep gemm.yaml bad.yaml --set num_stages=0,1",
}


@pytest.mark.parametrize("name", CASES)
def test_output(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints on both streams, and its exit code, is what the file beside this one holds."""
    monkeypatch.chdir(HERE / "inputs")
    for variable in ("GITHUB_ACTIONS", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    done = run(*shlex.split(CASES[name]))
    parts = [f"$ smemdsl {CASES[name]}\n{done.out}"]
    parts += [f"--- stderr\n{done.err}"] if done.err else []
    text = "".join([*parts, f"--- exit code {done.code}\n"])
    file = HERE / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_no_orphans() -> None:
    """Every file of outputs belongs to a case, and every input to a command."""
    assert {file.stem for file in HERE.glob("*.txt")} == set(CASES)
    words = {word for command in CASES.values() for word in shlex.split(command)}
    assert {file.name for file in (HERE / "inputs").iterdir()} <= words
