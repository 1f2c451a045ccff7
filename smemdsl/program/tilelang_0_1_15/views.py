"""R6 over a whole kernel: all places that touch a buffer must see the same number of versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from smemdsl.errors import DocPath, Fault, FaultError
from smemdsl.program.result import Because
from smemdsl.program.statements import If, Loop, Statement
from smemdsl.program.tilelang_0_1_15.kernel import Kernel
from smemdsl.program.tilelang_0_1_15.planning import plan, steps_of
from smemdsl.program.tilelang_0_1_15.split import Specialised
from smemdsl.program.tilelang_0_1_15.versions import ONE, Versions, filled_versions, planned_versions
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
    see with different numbers of versions, or one that escapes. Measured on 62 kernels made for it.
    """
    seen: dict[str, list[View]] = {}
    for name, view in views(body, special, kernel):
        seen.setdefault(name, []).append(view)
    faults = [fault for name, each in seen.items() for fault in clashes(name, each, fixed=fixed(name))]
    faults += escapes(body, special)
    errors = [fault for fault in faults if fault.severity == "error"]
    if errors:
        raise FaultError(errors)
    return Settled({name: agreed(each) for name, each in seen.items()}, tuple(faults))


def agreed(seen: Sequence[View]) -> Versions:
    """R6: one version if some place sees one; else what the first place sees."""
    numbers = {view.versions.number for view in seen}
    if len(numbers) > 1 and 1 in numbers:
        return Versions(1, Because("R6", "touched outside its pipelined loop too: one version"))
    return seen[0].versions


def clashes(name: str, seen: Sequence[View], *, fixed: bool) -> Iterator[Fault]:
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
        message = f"{text}: the compiler makes room for {agreed(seen).number} only"
        yield Fault(other.where, "versions-clash", message, severity="warning")


def escapes(body: Sequence[Statement], special: Specialised) -> Iterator[Fault]:
    """`versions-clash`: a buffer that a loop with num_stages fills is touched after it, outside them all.

    In a kernel that is a candidate for warp specialisation the compiler stops there, even if it would then
    not specialise.
    """
    if special.split is None and not special.dropped:
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


def views(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> Iterator[tuple[str, View]]:
    """Every touch of a buffer, in source order, with the versions that it sees.

    In a warp-specialised kernel every loop with num_stages sees what the first of them that fills the buffer
    made of it; a loop that is planned multiplies that by its own.
    """
    if special.dropped or not kernel.target.pipelines:
        return
    filled: dict[str, Versions] = {}
    if special.split is not None:
        for each in everything(body):
            filled = {**(filled_versions(each) if isinstance(each, Loop) else {}), **filled}
    for statement, loop in outermost(body):
        if isinstance(loop, Loop):
            yield from _views_inside(loop, special, filled)
        else:
            yield from ((name, View(ONE, statement.where, "")) for name in touches(statement))


def _views_inside(
    loop: Loop, special: Specialised, around: dict[str, Versions]
) -> Iterator[tuple[str, View]]:
    inside = _inside(loop, special, around)
    for statement, inner in outermost(loop.body):
        if isinstance(inner, Loop):
            yield from _views_inside(inner, special, inside)
        else:
            for name in touches(statement):
                yield name, View(inside.get(name, ONE), statement.where, loop.name)


def _inside(loop: Loop, special: Specialised, before: dict[str, Versions]) -> dict[str, Versions]:
    if loop is special.split:
        return before
    own = planned_versions(loop, plan(steps_of(loop)[1], loop.num_stages, loop.where))
    both = {name: _multiply(before[name], own[name]) for name in before.keys() & own.keys()}
    return {**before, **own, **both}


def _multiply(before: Versions, each: Versions) -> Versions:
    text = f"{before.why.text}; then {each.why.text}; together {before.number} * {each.number}"
    return Versions(before.number * each.number, Because("R6", text))
