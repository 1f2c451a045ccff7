"""All measurements as one table: `python -m benchmarks`, or some of them by name.

`--record` also adds them to benchmarks/history.md.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import check, history, packing, startup, sweep
from benchmarks.measure import Line
from smemdsl import __version__
from smemdsl.output.formats.tables import table

GROUPS: dict[str, Callable[[], Iterator[Line]]] = {
    "check": check.run,
    "startup": startup.run,
    "sweep": sweep.run,
    "packing": packing.run,
}


def main() -> int:
    """Measure, and print one line a measurement: what, ours, the peer's, and the ratio."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("group", nargs="*", choices=[*GROUPS, []], help="default: all")
    parser.add_argument("--record", action="store_true", help="add the figures to the history")
    arguments = parser.parse_args()
    chosen = arguments.group or list(GROUPS)
    print(f"smemdsl {__version__}, {machine()}\n", flush=True)
    lines = [line for name in chosen for line in GROUPS[name]()]
    headers = ["measurement", "smemdsl", "peer", "ratio", "wanted", "peer is"]
    print(table(headers, [[*line] for line in lines], 1))
    if arguments.record:
        page = history.PAGE.read_text(encoding="utf-8") if history.PAGE.exists() else ""
        run = f"{datetime.date.today():%Y-%m-%d}, {__version__} {commit()}".rstrip()
        history.PAGE.write_text(history.record(page, run, machine(), lines), encoding="utf-8")
    return 0


def machine() -> str:
    """What the figures were measured on, in general words."""
    python = f"Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, {python}; each figure on one core"


def _processor() -> str:
    """The processor's model, where the system tells it."""
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        facts = ""
    models = (line.partition(":")[2].strip() for line in facts.splitlines() if line.startswith("model name"))
    return next(models, platform.machine())


def commit() -> str:
    """The commit that the package stands at; empty where it is no checkout."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f"at {done.stdout.strip()}"


if __name__ == "__main__":
    sys.exit(main())
