"""All measurements as one table: `python -m benchmarks`, or some of them by name."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator

from benchmarks import check, packing, startup, sweep
from benchmarks.measure import Line
from smemdsl import __version__
from smemdsl.render.tables import table

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
    chosen = parser.parse_args().group or list(GROUPS)
    print(f"smemdsl {__version__}, Python {platform.python_version()}, {platform.machine()}, one core\n")
    lines = [line for name in chosen for line in GROUPS[name]()]
    headers = ["measurement", "smemdsl", "peer", "ratio", "wanted", "peer is"]
    print(table(headers, [[*line] for line in lines], 1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
