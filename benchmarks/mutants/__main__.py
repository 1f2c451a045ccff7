"""Change a module a little, one change at a time, and see whether a test fails.

Works in a temporary copy, never in the checkout. Exit code 1 where a mutant survived that
benchmarks/mutants/equivalents.txt does not list.
"""

from __future__ import annotations

import argparse
import compileall
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mutants.operators import Mutant, mutants
from benchmarks.mutants.subsets import tests_of

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "dist", "build", "node_modules", "shared")
LEAST_SECONDS = 20.0
"""A timeout is ten times what the unchanged code takes, and at least this long."""


def main() -> int:
    """Run the chosen mutants; print each survivor, and a line of figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("module", nargs="*", help="files or folders below the root; default: all with tests")
    parser.add_argument("--sample", type=int, help="so many mutants, drawn at random; default: all")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    known = equivalents()
    chosen = [each for each in every(arguments.module) if each.name not in known]
    if arguments.sample is not None and arguments.sample < len(chosen):
        chosen = random.Random(arguments.seed).sample(chosen, arguments.sample)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        compileall.compile_dir(copy, quiet=2)
        survivors = run(copy, sorted(chosen))
    for module, drawn in Counter(mutant.module for mutant in chosen).items():
        print(f"{module}: {figures(drawn, survivors[module])}")
    print(figures(len(chosen), survivors.total()))
    return 1 if survivors else 0


def figures(drawn: int, survived: int) -> str:
    """A line of figures."""
    killed = drawn - survived
    share = 100 * killed / drawn if drawn else 100.0
    return f"{drawn} mutants, {killed} killed ({share:.1f} %), {survived} survived"


def every(paths: Sequence[str]) -> list[Mutant]:
    """The mutants of all modules with tests that lie at or below one of the paths."""
    wanted = [Path(path).as_posix() for path in paths] or ["smemdsl"]
    files = sorted((ROOT / "smemdsl").rglob("*.py"))
    names = [file.relative_to(ROOT).as_posix() for file in files]
    picked = [
        name
        for name in names
        if tests_of(name) and any(name == each or name.startswith(f"{each}/") for each in wanted)
    ]
    if not picked:
        sys.exit(f"mutants: no module with tests at {', '.join(wanted)}")
    return [each for name in picked for each in mutants(name, (ROOT / name).read_text(encoding="utf-8"))]


def equivalents() -> frozenset[str]:
    """The names of the listed mutants."""
    lines = Path(__file__).with_name("equivalents.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.rpartition(" | ")[0] for line in lines if line and not line.startswith("#"))


def run(copy: Path, chosen: Sequence[Mutant]) -> Counter[str]:
    """How many survived, by module; each is printed as soon as it is known."""
    limits: dict[tuple[str, ...], float] = {}
    survivors: Counter[str] = Counter()
    for mutant in chosen:
        tests = tests_of(mutant.module)
        if tests not in limits:
            limits[tests] = baseline(copy, tests)
        file = copy / mutant.module
        kept = file.with_suffix(".kept")
        shutil.copy2(file, kept)
        file.write_text(mutant.source, encoding="utf-8")
        try:
            passed = passes(copy, tests, limits[tests])
        finally:
            os.replace(kept, file)  # with its old time, so that its compiled form holds again
        if passed:
            survivors[mutant.module] += 1
            print(f"survived: {mutant.module}:{mutant.line}: {mutant.change}", flush=True)
    return survivors


def baseline(copy: Path, tests: tuple[str, ...]) -> float:
    """The timeout of a subset, in seconds; ends the run where it fails on unchanged code."""
    began = time.monotonic()
    if not passes(copy, tests, 600):
        sys.exit(f"mutants: {' '.join(tests)} must pass on unchanged code first")
    return max(LEAST_SECONDS, 10 * (time.monotonic() - began))


def passes(copy: Path, tests: tuple[str, ...], seconds: float) -> bool:
    """Whether the tests pass in the copy in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["--hypothesis-profile=mutants", *tests]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
