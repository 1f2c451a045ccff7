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


class View(NamedTuple):
    """What one statement sees of a buffer."""

    versions: Versions
    where: DocPath
    """The statement's place."""
    loop: str
    """The pipelined loop around it; empty for none."""
    after: bool
    """In a warp-specialised kernel: it stands outside all such loops, after one that versions the buffer."""


class Settled(NamedTuple):
    """The versions of each buffer, and warnings about those that the compiler gets wrong."""

    versions: dict[str, Versions]
    warnings: tuple[Fault, ...]


def settle(
    body: Sequence[Statement],
    special: Specialised,
    kernel: Kernel,
    fixed: Callable[[str], bool],
) -> Settled:
    """The versions of each buffer; `fixed` tells whether a buffer has a layout.

    Raises FaultError `versions-clash` where the compiler refuses too: a buffer with a layout that two places
    see with different numbers of versions, or, in a warp-specialised kernel, any that is touched after its
    loop. Measured on 62 kernels made for it.
    """
    seen: dict[str, list[View]] = {}
    for name, view in views(body, special, kernel):
        seen.setdefault(name, []).append(view)
    faults = [fault for name, each in seen.items() for fault in _clashes(name, each, fixed(name))]
    errors = [fault for fault in faults if fault.severity == "error"]
    if errors:
        raise FaultError(errors)
    return Settled({name: _agreed(each) for name, each in seen.items()}, tuple(faults))


def _agreed(seen: Sequence[View]) -> Versions:
    """One version if some place sees one; else what the first place sees."""
    numbers = {view.versions.number for view in seen}
    if len(numbers) > 1 and 1 in numbers:
        return Versions(1, Because("R6", "touched outside its pipelined loop too: one version"))
    return seen[0].versions


def _clashes(name: str, seen: Sequence[View], fixed: bool) -> Iterator[Fault]:
    most = max(seen, key=lambda view: view.versions.number)
    other = next((view for view in seen if view.versions.number != most.versions.number), None)
    if other is None:
        return
    text = (
        f"{name!r} has {most.versions.number} versions in loop {most.loop}, "
        f"but {other.versions.number} {f'in loop {other.loop}' if other.loop else 'outside'}"
    )
    if fixed or any(view.after for view in seen):
        hint = "use a buffer of its own outside the loop"
        yield Fault(other.where, "versions-clash", f"{text}: the compiler refuses it", hint)
    else:
        message = f"{text}: the compiler makes room for {_agreed(seen).number} only"
        yield Fault(other.where, "versions-clash", message, severity="warning")


def views(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> Iterator[tuple[str, View]]:
    """Every touch of a buffer, in source order, with the versions that it sees.

    In a warp-specialised kernel every loop with num_stages sees what the first of them that fills the buffer
    made of it; a loop that is planned multiplies that by its own.
    """
    if special.dropped or not kernel.target.pipelines:
        return
    filled: dict[str, Versions] = {}
    if special.split is not None:
        for loop in (each for each in everything(body) if isinstance(each, Loop)):
            filled = {**filled_versions(loop), **filled}
    met: set[str] = set()
    yield from _views(body, special, filled, {}, "", met)


def _views(
    body: Sequence[Statement],
    special: Specialised,
    filled: dict[str, Versions],
    around: dict[str, Versions],
    loop: str,
    met: set[str],
) -> Iterator[tuple[str, View]]:
    for statement in body:
        if isinstance(statement, Loop) and statement.num_stages >= 1:
            inside = _inside(statement, special, around if loop else filled)
            yield from _views(statement.body, special, filled, inside, statement.name, met)
            met.update(touches(statement))
        elif isinstance(statement, If | Loop):
            yield from _views(children(statement), special, filled, around, loop, met)
        else:
            for name in touches(statement):
                after = not loop and name in filled and name in met
                yield name, View(around.get(name, ONE), statement.where, loop, after)


def _inside(loop: Loop, special: Specialised, before: dict[str, Versions]) -> dict[str, Versions]:
    if loop is special.split:
        return before
    own = planned_versions(loop, plan(steps_of(loop)[1], loop.num_stages, loop.where))
    both = {name: _multiply(before[name], own[name]) for name in before.keys() & own.keys()}
    return {**before, **own, **both}


def _multiply(before: Versions, each: Versions) -> Versions:
    text = f"{before.why.text}; {each.why.text}: {before.number} * {each.number}"
    return Versions(before.number * each.number, Because("R6", text))
