"""The fuzzer finds a planted mistake, writes the smallest input that shows it, and repeats by its seed."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.fuzz import __main__ as fuzz
from benchmarks.fuzz.inputs import Source
from benchmarks.fuzz.model import BrokenError, Case


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(fuzz, "bound_memory", lambda: None)  # the tests' own process goes on
    monkeypatch.setattr(sys, "argv", ["fuzz", *arguments])
    return fuzz.main()


def test_a_planted_mistake_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def hold(case: Case, _random: Random) -> str:
        if isinstance(case.tree, dict) and "target" in case.tree and "threads" in case.tree:
            raise BrokenError("planted")
        return "valid"

    monkeypatch.setattr(fuzz, "hold", hold)
    written = tmp_path / "smallest"
    assert run(monkeypatch, "--inputs", "200", "--seed", "1", "--output", str(written)) == 1
    smallest = written.read_text(encoding="utf-8")
    assert smallest.count(":") - smallest.count("triton:") == 2, smallest  # two keys are left
    assert "target" in smallest
    assert "threads" in smallest


def test_an_exception_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def hold(_case: Case, _random: Random) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(fuzz, "hold", hold)
    assert run(monkeypatch, "--inputs", "1", "--output", str(tmp_path / "smallest")) == 1


def test_so_many_inputs_break_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--inputs", "20", "--seed", "3") == 0
    assert capsys.readouterr().out.startswith("20 inputs, seed 3, nothing broke: ")


def test_a_seed_makes_the_same_inputs() -> None:
    first, again = ([Source().case(Random(f"5:{number}")) for number in range(30)] for _ in range(2))
    assert first == again
