"""What a capture is worth: which of its two forms say what the compiler did, and how long each took."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from smemdsl.api import loads
from smemdsl.compilers.capture import scenario
from smemdsl.compilers.capture.request import Capture, Request
from smemdsl.core.errors import SmemdslError
from smemdsl.judging.verify_capture import CaptureComparison, compare


class Score(NamedTuple):
    """One kernel of one file, for one target."""

    file: str
    kernel: str
    target: str
    failure: str = ""
    """Why it was not captured; empty where it was."""
    buffers: int = 0
    """In the arena; of one or none there is nothing to pack."""
    explicit: bool = False
    """The explicit form packs to every offset."""
    written: bool = False
    """There is a program form."""
    versions: bool = False
    arena: bool = False
    offsets: bool = False
    """Every offset, and the arena."""
    static: bool = False
    loops: int = 0
    """Loops that the compiler planned."""
    planned: int = 0
    """Of these, those whose planning arrays are the rules'."""
    reason: str = ""
    """Why the program form is not exact, or may not be."""
    compile_seconds: float = 0
    predict_seconds: float = 0
    """From the text of the program form to its arena."""


def scores(file: str, target: str, kernels: list[dict[str, Any]]) -> Iterator[Score]:
    """The scores of what a worker found in one file."""
    for kernel in kernels:
        if "error" in kernel:
            reason = f"{kernel['error']['code']}: {kernel['error']['message'].splitlines()[0][:160]}"
            yield Score(file, kernel["name"], target, reason)
        else:
            score = _score(file, kernel["name"], target, Capture.from_json(kernel["capture"]))
            yield (
                score._replace(loops=len(kernel["loops"]), planned=_planned(kernel))
                if score.written
                else score
            )


def _planned(kernel: dict[str, Any]) -> int:
    """Loops whose stages and order numbers, statement by statement, the rules give as well."""
    found = Capture.from_json(kernel["capture"])._replace(program=kernel["full"])
    if not kernel["loops"] or found.program is None:
        return 0
    request = Request("tilelang", "", "kernel", (), found.target)
    lowered = loads("\n".join(scenario.program(found, request))).plan().lowered.program
    assert lowered is not None
    ours = Counter((loop.loop, loop.stages, loop.order) for loop in lowered.loops)
    theirs = Counter((each["loop"], tuple(each["stages"]), tuple(each["order"])) for each in kernel["loops"])
    return (ours & theirs).total()


def _score(file: str, name: str, target: str, found: Capture) -> Score:
    request = Request("tilelang", file, name, (), target)
    explicit, _, _ = _compared(found, lambda: "\n".join(scenario.explicit(found, request)))
    score = Score(file, name, target, explicit=explicit is not None and explicit.exact)
    score = score._replace(compile_seconds=found.seconds, buffers=len(found.buffers))
    if found.program is None:
        return score._replace(reason="; ".join(found.doubts))
    program, seconds, error = _compared(found, lambda: "\n".join(scenario.program(found, request)))
    if program is None:
        return score._replace(reason=error)
    return score._replace(
        written=True,
        versions=program.versions_exact,
        arena=program.arena_exact,
        offsets=program.arena_exact and program.offsets_exact,
        static=program.static_exact,
        reason="" if program.exact else "; ".join([*found.doubts, *_differences(program)]),
        predict_seconds=seconds,
    )


def _compared(found: Capture, write: Callable[[], str]) -> tuple[CaptureComparison | None, float, str]:
    text = write()
    try:
        plan = loads(
            text
        ).plan()  # loads modules, the first time: the compiler's start-up is not counted either
    except SmemdslError as error:
        return None, 0, str(error).splitlines()[0]
    begin = time.process_time()
    loads(text).plan()
    return compare(found, plan), time.process_time() - begin, ""


def _differences(program: CaptureComparison) -> Iterator[str]:
    """What differs, in a few words."""
    for name, (predicted, compiled) in (("arena", program.arena), ("static", program.static)):
        if predicted != compiled:
            yield f"{name} {predicted} B, compiled {compiled} B"
    names = [pair.name for pair in program.pairs if not pair.same]
    if names:
        yield f"{', '.join(names[:4])}{' and others' if len(names) > 4 else ''} differ"
