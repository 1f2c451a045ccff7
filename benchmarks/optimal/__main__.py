"""Policy optimal, measured: `python -m benchmarks.optimal [options]` prints one table.

Times and limits are CPU seconds of one core, so that what else runs on the machine does not matter.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.optimal import ablation, agreement, large, recorded, synthetic
from benchmarks.optimal.row import Row


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimal", description=__doc__)
    parser.add_argument("--minimalloc", type=Path, metavar="DIR", help="folder with A.1048576.csv and so on")
    parser.add_argument(
        "--seconds", type=float, nargs="+", default=[10.0, 60.0], help="limits for --minimalloc"
    )
    parser.add_argument("--interpreted", action="store_true", help="--minimalloc without the extra `solver`")
    usual = sorted({*_SECTIONS} - {"ablation"})
    parser.add_argument("--only", choices=sorted(_SECTIONS), nargs="+", default=usual)
    parser.add_argument(
        "--without",
        choices=list(ablation.MECHANISMS),
        nargs="+",
        default=[],
        help="of the ablation, these alone",
    )
    parser.add_argument(
        "--instances", type=int, default=200, help="random instances a shape of life and size class"
    )
    parser.add_argument("--first", type=int, default=5000, help="seed of the first random kernel")
    return parser.parse_args()


_SECTIONS = {
    "ablation": ablation,
    "agreement": agreement,
    "large": large,
    "recorded": recorded,
    "synthetic": synthetic,
}


def _rows(arguments: argparse.Namespace) -> Iterator[Row]:
    if "recorded" in arguments.only:
        yield from recorded.rows()
    if "agreement" in arguments.only:
        yield from agreement.rows(arguments.instances)
    if "synthetic" in arguments.only:
        yield from synthetic.rows(arguments.instances, arguments.first)
    if "ablation" in arguments.only:
        yield from ablation.rows(
            arguments.instances, arguments.first, arguments.minimalloc, arguments.without
        )
    if "large" in arguments.only and arguments.minimalloc:
        yield from large.rows(arguments.minimalloc, arguments.seconds, arguments.interpreted)


def main() -> None:
    """Print each row as soon as it is known."""
    arguments = _arguments()
    print(Row("what", "instances", "proved", "CPU median / p99 / max", "worst gap", "remarks").line())
    for row in _rows(arguments):
        print(row.line(), flush=True)


main()
