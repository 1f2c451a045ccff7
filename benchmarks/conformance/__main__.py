"""Measure conformance over a folder of TileLang sources, and write the page."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.conformance.report import page
from benchmarks.conformance.scoring import Score, scores
from smemdsl.compilers.capture.process import answers
from smemdsl.compilers.capture.request import Failure, Request

TARGETS = ("sm_75", "sm_80", "sm_89", "sm_90a")
"""Those without `--target`."""
WORKER = "benchmarks.conformance.worker"
PART = 24
"""Files of one worker."""
LIMIT = 240.0
"""Seconds for all kernels of one file."""


def main() -> None:
    """Capture, score, write; answers can be kept, so that a page is written again without compiling."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance", description=__doc__)
    parser.add_argument("folder", type=Path, help="TileLang sources, such as the examples of its repository")
    parser.add_argument("--source", default="tile-ai/tilelang, examples/", help="what the page calls them")
    parser.add_argument(
        "--keep", type=Path, help="keep the worker's answers here, and use those that are there"
    )
    parser.add_argument(
        "--target", action="append", help=f"a compute capability, repeatable; default: {', '.join(TARGETS)}"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/conformance.md"))
    parser.add_argument("--only", default="", help="files whose path holds this text")
    parser.add_argument(
        "--kept-only", action="store_true", help="write the page of what is kept, compile nothing"
    )
    given = parser.parse_args()
    given.output.parent.mkdir(exist_ok=True)
    given.folder, given.output = given.folder.resolve(), given.output.resolve()
    given.keep = given.keep and given.keep.resolve()
    with tempfile.TemporaryDirectory() as elsewhere:
        os.chdir(elsewhere)  # some sources write files where they are run
        _measure(given)
        os.chdir(given.output.parent)


def _measure(given: argparse.Namespace) -> None:
    targets = tuple(dict.fromkeys(given.target or TARGETS))
    files = [path for path in sorted(given.folder.rglob("*.py")) if _wanted(path) and given.only in str(path)]
    names = [path.relative_to(given.folder).as_posix() for path in files]
    found: list[Score] = []
    notes: dict[str, list[str]] = {}
    for target, part in _parts(names, targets, kept_only=given.kept_only):
        for name, answer in _answers(given.folder, part, target, given.keep, kept_only=given.kept_only):
            found += scores(name, target, answer["kernels"])
            if not answer["kernels"]:
                notes.setdefault(name, []).extend(answer["notes"])
    used = {score.file for score in found}
    silent = [f"`{n}`: {why[0] if why else 'no entry point'}" for n, why in notes.items() if n not in used]
    given.output.write_text(
        page(found, targets, given.source, "TileLang 0.1.15", len(files), silent), encoding="utf-8"
    )


def _parts(names: list[str], targets: tuple[str, ...], *, kept_only: bool) -> Iterator[tuple[str, list[str]]]:
    """Each target with a part of the files, mixed, so that a run that is cut short is still a fair sample."""
    mixed = sorted(names, key=lambda name: zlib.crc32(name.encode()))
    size = len(names) if kept_only else PART
    for begin in range(0, len(mixed), max(size, 1)):
        for target in targets:
            yield target, mixed[begin : begin + size]


def _wanted(path: Path) -> bool:
    """Not what only runs the other files again."""
    return not path.name.startswith(("test_", "regression_", "conftest"))


def _answers(
    folder: Path, names: list[str], target: str, keep: Path | None, *, kept_only: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    kept: dict[str, Any] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            if item["target"] == target:
                kept[item["name"]] = item["answer"]
    yield from ((name, kept[name]) for name in names if name in kept)
    rest = [] if kept_only else [name for name in names if name not in kept]
    jobs = [Request("tilelang", str(folder / name), "", (), target).to_json() for name in rest]
    for name, answer in zip(rest, answers(jobs, LIMIT, WORKER), strict=True):
        value = (
            {"notes": [f"{answer.code}: {answer.message}"], "kernels": []}
            if isinstance(answer, Failure)
            else answer
        )
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"target": target, "name": name, "answer": value}) + "\n")
        yield name, value


if __name__ == "__main__":
    main()
