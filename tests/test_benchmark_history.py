"""The history of measurements: a column a run, nothing lost."""

from __future__ import annotations

from benchmarks.history import HEAD, record
from benchmarks.measure import Line


def line(what: str, ratio: str) -> Line:
    return Line(what, "1 ms", "2 ms", ratio, "<= 2", "a peer")


def test_runs_stand_side_by_side() -> None:
    """A run adds a column; a measurement that it lacks is empty in it, one that is new gets a row."""
    first = record("", "one", "a machine", [line("check", "0.1"), line("sweep", "")])
    second = record(first, "two", "another", [line("check", "0.2"), line("pack", "x 11")])
    assert second == (
        f"{HEAD}"
        "| measurement | wanted | one | two |\n"
        "| --- | --- | --- | --- |\n"
        "| check | <= 2 | 0.1 | 0.2 |\n"
        "| sweep | <= 2 | 1 ms |  |\n"
        "| pack | <= 2 |  | x 11 |\n"
        "\n## Runs\n\n"
        "- one: a machine\n"
        "- two: another\n"
    )
