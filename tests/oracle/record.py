"""Capture the kernels of `tests.oracle.unseen`, score them, write what the default suite checks.

`python -m tests.oracle.record ANSWERS` compiles what the file ANSWERS lacks, one kernel after the other;
`--write FILE` writes the captures for `tests/program/test_unseen_kernels.py`. Answers are kept by the text
of the kernel and by its arguments and target, so they must go when `smemdsl capture` itself changes.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from smemdsl.api import loads
from smemdsl.compilers.capture import scenario
from smemdsl.compilers.capture.process import run
from smemdsl.compilers.capture.request import Capture, Failure, Request
from smemdsl.core.errors import SmemdslError
from smemdsl.judging.verify_capture import compare
from tests.oracle.unseen import CASES, Case, requests

PART = 40
"""Kernels that one worker compiles before their answers are looked at."""
SEVERAL = re.compile(r"--kernel: one of (.+)")


class Answer(NamedTuple):
    """What became of one request."""

    case: Case
    request: Request
    found: Capture | Failure


def main() -> None:
    """Capture what is missing, score, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.record", description=__doc__)
    parser.add_argument("answers", type=Path, help="kept answers, one a line")
    parser.add_argument("--batch", type=int, default=2, help="kernels of this batch and of those before it")
    parser.add_argument("--kept-only", action="store_true", help="compile nothing")
    parser.add_argument("--write", type=Path, help="the captures as test data")
    given = parser.parse_args()
    if not given.kept_only:
        while missing := list(_missing(_kept(given.answers), given.batch)):
            with given.answers.open("a", encoding="utf-8") as file:
                for request, found in zip(missing[:PART], run(missing[:PART]), strict=True):
                    file.write(json.dumps({"key": _key(request), "answer": _plain(found)}) + "\n")
                    file.flush()
    answers = list(_answers(_kept(given.answers), given.batch))
    sys.stdout.write("".join(f"{line}\n" for line in _report(answers)))
    if given.write:
        given.write.write_text("".join(f"{line}\n" for line in _lines(answers)), encoding="utf-8")


def _key(request: Request) -> str:
    """The kernel's code, its arguments, target and launch."""
    code = _functions(request.file)[request.name]
    parts = [code, request.name, request.args, request.target, request.kernel]
    return hashlib.sha1(json.dumps(parts).encode(), usedforsecurity=False).hexdigest()


@cache
def _functions(path: str) -> dict[str, str]:
    """The code of every function of a file, whatever its layout."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return {node.name: ast.dump(node) for node in tree.body if isinstance(node, ast.FunctionDef)}


def _plain(found: Capture | Failure) -> dict[str, Any]:
    return {"capture": found.to_json()} if isinstance(found, Capture) else {"failure": found._asdict()}


def _kept(path: Path) -> dict[str, Capture | Failure]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {item["key"]: _found(item["answer"]) for item in map(json.loads, lines)}


def _found(answer: dict[str, Any]) -> Capture | Failure:
    return Capture.from_json(answer["capture"]) if "capture" in answer else Failure(**answer["failure"])


def _launches(request: Request, kept: dict[str, Capture | Failure]) -> list[Request]:
    """One request for each kernel that the source launches, as far as it is known how many they are."""
    found = kept.get(_key(request))
    several = SEVERAL.search(found.hint) if isinstance(found, Failure) else None
    return [request._replace(kernel=name) for name in several[1].split(", ")] if several else [request]


def _missing(kept: dict[str, Capture | Failure], batch: int) -> Iterator[Request]:
    """In turns of configuration and target, so that a run that is cut short has seen every kernel."""
    turns = [list(requests(case)) for case in CASES if case.batch <= batch]
    for pair in ((0, 5), (2, 7), (1, 3, 4, 6)):
        for turn in turns:
            for i in pair:
                yield from (each for each in _launches(turn[i], kept) if _key(each) not in kept)


def _answers(kept: dict[str, Capture | Failure], batch: int) -> Iterator[Answer]:
    for case in CASES:
        for first in dict.fromkeys(requests(case)) if case.batch <= batch else ():
            for request in _launches(first, kept):
                if found := kept.get(_key(request)):
                    yield Answer(case, request, found)


def _report(answers: list[Answer]) -> Iterator[str]:
    """Every miss, and the sums by batch."""
    sums: Counter[tuple[int, str]] = Counter()
    for case, request, found in answers:
        name = f"{case.file}.{label(request)}"
        sums[case.batch, "tried"] += 1
        if isinstance(found, Failure):
            yield f"{name}: {found.code}: {found.message.splitlines()[0][:160]}"
            continue
        sums[case.batch, "compiled"] += 1
        exact, said = _compared(found, scenario.explicit(found, request))
        sums[case.batch, "explicit"] += exact
        if not exact:
            yield f"{name}: explicit form differs: {said}"
        if found.program is None:
            yield f"{name}: no program: {'; '.join(found.doubts)}"
            continue
        exact, said = _compared(found, scenario.program(found, request))
        sums[case.batch, "program"] += exact
        sums[case.batch, "exact but not sure" if exact else "marked"] += not said.endswith("exact")
        if not exact:
            yield f"{name}: program form differs: {said}"
    for (batch, what), count in sorted(sums.items()):
        yield f"batch {batch}: {what} {count}"


def _compared(found: Capture, lines: Iterator[str]) -> tuple[bool, str]:
    """Whether a form of a capture is exact; arenas and static bytes, and how sure the result is."""
    try:
        plan = loads("\n".join(lines)).plan()
    except SmemdslError as error:
        return False, f"refused: {str(error).splitlines()[0]}"
    both = compare(found, plan)
    return both.exact, f"arena {both.arena}, static {both.static}, {plan.confidence}"


def label(request: Request) -> str:
    """A request in short."""
    args = "".join(f" {name}={value}" for name, value in request.args)
    return f"{request.name}{args} {request.target} {request.kernel}".strip()


def _lines(answers: list[Answer]) -> Iterator[str]:
    """The captures with a program, as the default suite checks them; equal ones once."""
    seen = set()
    for _, request, found in answers:
        if isinstance(found, Failure) or found.program is None:
            continue
        written = {key: found.program[key] for key in ("threads", "options", "static", "buffers", "program")}
        given = {key: value for key, value in written.items() if value or key in ("buffers", "program")}
        told = {"confidence": {"approximate": list(found.doubts)}} if found.doubts else {}
        value = {
            "scenario": {"smemdsl": 1, "target": found.target, **told, **given},
            "expected": [[b.name, b.bytes, b.versions, b.align, b.offset, b.live] for b in found.buffers],
            "total": found.arena,
            "static": found.static,
        }
        text = json.dumps(value, separators=(",", ":"))
        if text not in seen:
            seen.add(text)
            yield json.dumps({"id": label(request)}, separators=(",", ":"))[:-1] + "," + text[1:]


if __name__ == "__main__":
    main()
