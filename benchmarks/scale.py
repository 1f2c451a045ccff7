"""How far a sweep goes: its time on one core, on all, on a local cluster; its memory over many rows.

`python -m benchmarks.scale` prints the tables of docs/scale.md; `--rows` and `--watched` write how many rows.
What 10^9 rows take is reckoned from the CPU time, which other load on the machine leaves as it is.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from smemdsl import __version__
from smemdsl.execution.cluster import available
from smemdsl.execution.processes import cores
from smemdsl.output.formats.tables import table

SCENARIOS = {"gemm-tiles": 1, "epilogue": 10}
"""What is swept, and how many times fewer rows it gets."""
PAUSE = 0.2
"""Seconds between two looks at the memory."""
BILLION = 10**9


class Run(NamedTuple):
    """What a sweep took."""

    rows: int
    size: int
    """Bytes of its file."""
    seconds: float
    cpu: float
    """CPU seconds of all its processes."""
    memory: tuple[int, ...]
    """Bytes that the process held, look by look."""


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of each sweep that is timed")
    parser.add_argument("--watched", type=int, default=10_000_000, help="of the one whose memory is watched")
    wanted = parser.parse_args()
    print(
        f"smemdsl {__version__}, Python {platform.python_version()}, {platform.machine()}, {cores()} cores\n"
    )
    if wanted.rows:
        headers = [
            "sweep into csv",
            "by",
            "rows",
            "seconds",
            "CPU seconds",
            "rows per CPU second",
            "10^9 rows",
        ]
        print(table(headers, list(rates(wanted.rows)), 2) + "\n")
    if wanted.watched:
        headers = ["rows written, of all", "largest RSS so far"]
        print(table(headers, list(memory(wanted.watched)), 2))
    return 0


def rates(rows: int) -> Iterator[list[str]]:
    """One line a scenario and way."""
    ways = [["--jobs", "1"], ["--jobs", str(cores())]] + [["--scheduler", "local"]] * available()
    for name, fewer in SCENARIOS.items():
        for way in ways:
            run = swept(name, rows // fewer, way)
            rate = run.rows / run.cpu
            yield [
                name,
                " ".join(way),
                f"{run.rows:,}",
                f"{run.seconds:.1f}",
                f"{run.cpu:.1f}",
                f"{rate:,.0f}",
                f"{BILLION / rate / 3600:.1f} core hours, {run.size / run.rows * BILLION / 2**30:.0f} GiB",
            ]


def memory(rows: int) -> Iterator[list[str]]:
    """How much the process that writes has held at most, after each tenth of its time."""
    run = swept("gemm-tiles", rows, ["--jobs", "1"])
    looks = run.memory
    for tenth in range(1, 11):
        most = max(looks[: max(1, len(looks) * tenth // 10)])
        yield [f"{tenth * 10} % of {run.rows:,}", f"{most / 2**20:.1f} MiB"]


def swept(name: str, rows: int, way: Sequence[str]) -> Run:
    """Sweep into a file, and see to it that all rows are there.

    Raises:
        AssertionError: they are not, or the sweep fails.
    """
    tiles = max(rows // 160, 1)
    across = max(int(tiles**0.5), 1)
    m, n = 16 * across, 16 * (tiles // across)
    axes = [f"block_M=16..{m}:16", f"block_N=16..{n}:16", "block_K=16..256:16", "num_stages=1..10"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        command = [sys.executable, "-m", "smemdsl", "sweep", f"builtin:{name}", "--output", str(file), *way]
        for axis in axes:
            command += ["--set", axis]
        begin = time.monotonic()
        child = subprocess.Popen(command)
        memory, cpu = _watched(child)
        seconds = time.monotonic() - begin
        if child.returncode not in {0, 1}:
            raise AssertionError(f"{' '.join(command)}: exit code {child.returncode}")
        with file.open("rb") as stream:
            found = sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b"")) - 1
        size = file.stat().st_size
    if found != 160 * across * (tiles // across):
        raise AssertionError(f"{' '.join(command)}: {found:,} rows are not all")
    return Run(found, size, seconds, cpu, memory)


def _watched(child: subprocess.Popen[bytes]) -> tuple[tuple[int, ...], float]:
    """The memory of a process while it runs, and the CPU time that it took with all its workers."""
    looks = [0]
    while True:
        done, status, usage = os.wait4(child.pid, os.WNOHANG)
        if done:
            child.returncode = os.waitstatus_to_exitcode(status)
            return tuple(looks), usage.ru_utime + usage.ru_stime
        looks.append(_resident(child.pid))
        time.sleep(PAUSE)


def _resident(process: int) -> int:
    """Bytes in memory of a process; Linux says so."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main())
