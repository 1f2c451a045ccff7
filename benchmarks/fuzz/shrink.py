"""The smallest input that still fails: parts are left out as long as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.fuzz.model import Case
from benchmarks.fuzz.mutate import part, paths, replaced, without

MOST_TRIES = 2_000
MOST_TRIES_OF_A_HANG = 60
"""Each that still hangs takes as long as the watchdog waits."""


def shrunk(
    case: Case,
    fails: Callable[[Case], bool],
    rewritten: Callable[[Case, object], Case],
    most_tries: int = MOST_TRIES,
) -> Case:
    """The case with as little in it as still fails in the same way.

    Args:
        case: One that fails.
        fails: Whether a case fails as the first one did.
        rewritten: The case with another tree, its text following.
        most_tries: So many cases are looked at.
    """
    tries = 0
    smaller = True
    while smaller and tries < most_tries:
        smaller = False
        for candidate in _smaller(case, rewritten):
            tries += 1
            if fails(candidate):
                case, smaller = candidate, True
                break
            if tries >= most_tries:
                break
    return case


def _smaller(case: Case, rewritten: Callable[[Case, object], Case]) -> Iterator[Case]:
    if case.tree is None:
        lines = case.text.splitlines(keepends=True)
        yield from (
            case._replace(text="".join(lines[:index] + lines[index + step :]))
            for step in (len(lines) // 2, len(lines) // 4, 1)
            for index in range(0, len(lines), max(step, 1))
            if step
        )
        return
    listed = [path for path in paths(case.tree) if path]
    for path in sorted(listed, key=len):
        yield rewritten(case, without(case.tree, path))
    for path in listed:
        there = part(case.tree, path)
        if isinstance(there, int) and not isinstance(there, bool) and there > 1:
            yield from (
                rewritten(case, replaced(case.tree, path, less)) for less in (1, there // 2, there - 1)
            )
