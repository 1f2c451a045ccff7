"""Over a whole kernel all places that touch a buffer must see the same number of versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.multi_version_buffer import (
    ONE,
    Versions,
    filled_versions,
    planned_versions,
)
from smemdsl.compilers.tilelang.rules.multi_version_buffer import RULE as VERSIONS
from smemdsl.compilers.tilelang.rules.pipeline_planning import plan, steps_of
from smemdsl.compilers.tilelang.rules.producer_consumer_split import Specialised
from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.program.statements import If, Loop, Statement
from smemdsl.program.walk import children, everything, touches

OWN_BUFFER = "use a buffer of its own outside the loop"


class View(NamedTuple):
    """What one statement sees of a buffer."""

    versions: Versions
    where: DocPath
    """The statement's place."""
    loop: str
    """The pipelined loop around it; empty for none."""


class Settled(NamedTuple):
    """The versions of each buffer, and warnings about those that the compiler gets wrong."""

    versions: dict[str, Versions]
    warnings: tuple[Fault, ...]


def settle(
    body: Sequence[Statement], special: Specialised, kernel: Kernel, fixed: Callable[[str], bool]
) -> Settled:
    """The versions of each buffer; `fixed` tells whether a buffer has a layout.

    Raises FaultError `versions-clash` where the compiler refuses too: a buffer with a layout that two places
    see with different numbers of versions, or one that escapes. As compiled in 23 kernels made for it
    (`tests/program/test_program_rules.py`), and refused in 14 random kernels.
    """
    if special.dropped or not kernel.target.pipelines:
        seen: dict[str, list[View]] = {}
    else:
        seen = views(body, special)
    base = filled_in(body, special)
    agreed = {name: agree(each, base.get(name, ONE)) for name, each in seen.items()}
    faults = [
        fault
        for name, each in seen.items()
        for fault in clashes(name, each, agreed[name].number, fixed=fixed(name))
    ]
    faults += escapes(body, special)
    errors = [fault for fault in faults if fault.severity == "error"]
    if errors:
        raise FaultError(errors)
    return Settled(agreed, tuple(faults))


def agree(seen: Sequence[View], base: Versions) -> Versions:
    """What planning found the buffer with, if some place sees it so; else what the first place sees.

    Planning finds one version, or in a warp-specialised function what the loops filled.
    """
    numbers = {view.versions.number for view in seen}
    least = min(numbers)
    if len(numbers) > 1 and least in (1, base.number):
        text = f"some place sees {least} where a pipelined loop sees {max(numbers)}: no more room is made"
        return Versions(least, VERSIONS.because(text))
    return seen[0].versions


def clashes(name: str, seen: Sequence[View], agreed: int, *, fixed: bool) -> Iterator[Fault]:
    """`versions-clash`: two places see a buffer with different numbers of versions."""
    most = max(seen, key=lambda view: view.versions.number)
    other = next((view for view in seen if view.versions.number != most.versions.number), None)
    if other is None:
        return
    place = f"in loop {other.loop}" if other.loop else "outside"
    text = (
        f"{name!r} has {most.versions.number} versions in loop {most.loop}, "
        f"but {other.versions.number} {place}"
    )
    if fixed:
        yield Fault(other.where, "versions-clash", f"{text}: the compiler refuses it", OWN_BUFFER)
    else:
        message = f"{text}: the compiler makes room for {agreed} only"
        yield Fault(other.where, "versions-clash", message, severity="warning")


def escapes(body: Sequence[Statement], special: Specialised) -> Iterator[Fault]:
    """`versions-clash`: a buffer that a loop with num_stages fills is touched after it, outside them all.

    In a kernel that is a candidate for warp specialisation the compiler stops there, even if it would then
    not specialise.
    """
    if not special.versioned and not special.dropped:
        return
    filled: dict[str, str] = {}
    for statement, loop in outermost(body):
        if isinstance(loop, Loop):
            filled = {**dict.fromkeys(filled_versions(loop), loop.name), **filled}
            continue
        for name in touches(statement):
            if name in filled:
                text = f"{name!r} has versions in loop {filled[name]}, but is touched after it"
                yield Fault(statement.where, "versions-clash", f"{text}: the compiler refuses it", OWN_BUFFER)


def outermost(body: Sequence[Statement]) -> Iterator[tuple[Statement, Loop | None]]:
    """The loops with num_stages that are in no other, and the leaves outside them, in source order."""
    for statement in body:
        if isinstance(statement, Loop) and statement.num_stages >= 1:
            yield statement, statement
        elif isinstance(statement, If | Loop):
            yield from outermost(children(statement))
        else:
            yield statement, None


def filled_in(body: Sequence[Statement], special: Specialised) -> dict[str, Versions]:
    """In a warp-specialised function, what the first loop that fills each buffer makes of it."""
    filled: dict[str, Versions] = {}
    if special.versioned:
        for each in everything(body):
            filled = {**(filled_versions(each) if isinstance(each, Loop) else {}), **filled}
    return filled


def views(body: Sequence[Statement], special: Specialised) -> dict[str, list[View]]:
    """Every touch of every buffer, in source order, with the versions that it sees.

    Inside a loop with num_stages that is what was filled there; a loop that is planned multiplies it.
    """
    filled = filled_in(body, special)
    seen: dict[str, list[View]] = {}
    for statement, loop in outermost(body):
        if isinstance(loop, Loop):
            for name, view in _views_inside(loop, special, filled):
                seen.setdefault(name, []).append(view)
        else:
            for name in touches(statement):
                seen.setdefault(name, []).append(View(ONE, statement.where, ""))
    return seen


def _views_inside(
    loop: Loop, special: Specialised, around: dict[str, Versions]
) -> Iterator[tuple[str, View]]:
    inside = _inside(loop, special, around)
    for statement, inner in outermost(loop.body):
        if isinstance(inner, Loop) and loop is special.split:
            yield from _views_inside(inner, special, inside)
            continue
        for leaf in (each for each in everything((statement,)) if not children(each)):
            for name in touches(leaf):
                yield name, View(inside.get(name, ONE), leaf.where, loop.name)


def _inside(loop: Loop, special: Specialised, before: dict[str, Versions]) -> dict[str, Versions]:
    if loop is special.split:
        return before
    own = planned_versions(loop, plan(steps_of(loop)[1], loop.num_stages, loop.where))
    both = {name: _multiply(before[name], own[name]) for name in before.keys() & own.keys()}
    return {**before, **own, **both}


def _multiply(before: Versions, each: Versions) -> Versions:
    text = f"{before.why.text}; then {each.why.text}; together {before.number} * {each.number}"
    return Versions(before.number * each.number, VERSIONS.because(text))
