"""Make inputs and check what must hold for each, until the time is up or something breaks.

`python -m benchmarks.fuzz --seconds N --seed S`. An exception that is not the user's mistake, exit code 3, a
hang, or a disagreement ends the run with exit code 1; the smallest input that does the same is written.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from math import inf
from pathlib import Path
from random import Random

from benchmarks.fuzz import shrink
from benchmarks.fuzz.inputs import Source, rewritten
from benchmarks.fuzz.invariants import hold
from benchmarks.fuzz.model import Case, Hung
from benchmarks.fuzz.watchdog import bound_memory, bounded


def main() -> int:
    """Run, write how many inputs of which kind there were, and what broke."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, help="60 unless --inputs is given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, help="stop after so many: a seed then always makes the same")
    parser.add_argument("--output", type=Path, default=Path("fuzz-failure.txt"), help="the smallest input")
    arguments = parser.parse_args()
    bound_memory()
    source = Source()
    counts: Counter[str] = Counter()
    most = inf if arguments.inputs is None else arguments.inputs
    seconds = arguments.seconds
    if seconds is None:
        seconds = 60.0 if arguments.inputs is None else inf
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end and number < most:
        seed = f"{arguments.seed}:{number}"
        case = source.case(Random(seed))
        failure, was = outcome(case, seed)
        if failure:
            return _told(case, seed, failure, arguments.output)
        counts[f"{case.kind} {was}".replace("command command", "command")] += 1
        number += 1
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"{number} inputs, seed {arguments.seed}, nothing broke: {told}")
    return 0


def outcome(case: Case, seed: str) -> tuple[str, str]:
    """What failed, in a line, or nothing; and what the case was."""
    try:
        with bounded():
            return "", hold(case, Random(f"{seed} checks"))
    except Hung:
        return "Hung", ""
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return f"{type(error).__name__}: {error}", ""


def _told(case: Case, seed: str, failure: str, output: Path) -> int:
    """Shrink, write and print."""

    def fails(smaller: Case) -> bool:
        return _kind(outcome(smaller, seed)[0]) == _kind(failure)

    tries = shrink.MOST_TRIES_OF_A_HANG if failure == "Hung" else shrink.MOST_TRIES
    smallest = shrink.shrunk(case, fails, rewritten, tries)
    output.write_text(smallest.text, encoding="utf-8", errors="surrogateescape")
    failure = outcome(smallest, seed)[0] or failure
    print(
        f"input {seed}, {case.kind} {' '.join(case.args)}\n{failure}\n{output}:\n{smallest.text}",
        file=sys.stderr,
    )
    return 1


def _kind(failure: str) -> str:
    """The failure without its numbers: the same one of a smaller input."""
    return "".join(letter for letter in failure if not letter.isdigit())[:40]


if __name__ == "__main__":
    sys.exit(main())
