"""The page that keeps what was measured: one table, a row a measurement and a column a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.measure import Line

PAGE = Path(__file__).parent / "history.md"
HEAD = """\
# What was measured

`python -m benchmarks --record` adds a column. A figure is the ratio that the table of that run shows: of CPU
times in one run on one machine, so that machines compare better than seconds do. Where there is no peer, it
is the figure itself.

"""
RUNS = "\n## Runs\n\n"


def record(page: str, run: str, machine: str, lines: Iterable[Line]) -> str:
    """The page with one more column, headed by the run; what it did not measure stays empty there.

    Args:
        page: The page so far; empty for a new one.
        run: What heads the column: date, version and commit.
        machine: What it ran on, listed below the table.
        lines: What was measured.
    """
    rows = [_cells(row) for row in page.splitlines() if row.startswith("|")]
    header, before = (rows[0], rows[2:]) if rows else (["measurement", "wanted"], [])
    table = {row[0]: row for row in before}
    for line in lines:
        row = table.setdefault(line.what, [line.what, "", *[""] * (len(header) - 2)])
        row[1] = line.wanted
        row.append(line.ratio or line.ours)
    width = len(header) + 1
    filled = [row + [""] * (width - len(row)) for row in table.values()]
    rules = ["---"] * width
    text = "".join(f"| {' | '.join(row)} |\n" for row in ([*header, run], rules, *filled))
    runs = page.partition(RUNS)[2]
    return f"{HEAD}{text}{RUNS}{runs}- {run}: {machine}\n"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
