"""Checks of a program that need no compiler's rules: names, sizes, and reads before writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from smemdsl.core.did_you_mean import did_you_mean, few
from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.program.limits import too_deep, too_large
from smemdsl.program.statements import Gemm, If, Loop, Program, Statement
from smemdsl.program.walk import (
    asks_for_stages,
    bounds,
    children,
    everything,
    is_copy,
    reads,
    touches,
    writes,
)

POLICIES = ("square", "full_row", "full_col")
INSTRUCTIONS = ("wgmma", "mma")


def check(program: Program) -> tuple[Fault, ...]:
    """Warnings about a program that can be lowered; raises FaultError with every error in one that cannot."""
    if faults := tuple(too_deep(program.body)) or tuple(too_large(program.body)):
        raise FaultError(faults)
    errors = [*undeclared(program), *bad_numbers(program), *bad_words(program.body)]
    found = [*read_before_write(program), *untouched(program), *stages_without_copies(program.body)]
    errors += [fault for fault in found if fault.severity == "error"]
    if errors:
        raise FaultError(errors)
    return tuple(found)


def undeclared(program: Program) -> Iterator[Fault]:
    """`undeclared-buffer`: a statement names a buffer that the file does not declare."""
    declared = dict.fromkeys(buffer.name for buffer in program.buffers)
    for statement in everything(program.body):
        for name in bounds(statement) if children(statement) else touches(statement):
            if name not in declared:
                message = f"buffer {name!r} is not declared"
                hint = did_you_mean(name, few(declared))
                yield Fault(statement.where, "undeclared-buffer", message, hint)


def bad_numbers(program: Program) -> Iterator[Fault]:
    """`bad-number`: an extent or a gemm size below 1, a negative num_stages, no threads."""
    if program.threads is not None and program.threads < 1:
        yield _below(program.where, "threads", program.threads, 1)
    for statement in everything(program.body):
        if isinstance(statement, Loop):
            if isinstance(statement.extent, int) and statement.extent < 1:
                yield _below(statement.where, "extent", statement.extent, 1)
            if statement.num_stages < 0:
                yield _below(statement.where, "num_stages", statement.num_stages, 0)
        elif isinstance(statement, Gemm):
            for name, size in (("m", statement.m), ("n", statement.n), ("k", statement.k)):
                if size is not None and size < 1:
                    yield _below(statement.where, name, size, 1)


def _below(where: DocPath, name: str, value: int, least: int) -> Fault:
    return Fault(where, "bad-number", f"`{name}` is {value}; it must be at least {least}")


def bad_words(body: Iterable[Statement]) -> Iterator[Fault]:
    """`unknown-word`: a gemm's `policy` or `mma` that means nothing."""
    for gemm in (each for each in everything(body) if isinstance(each, Gemm)):
        if gemm.policy not in POLICIES:
            yield _unknown(gemm.where, "policy", gemm.policy, POLICIES)
        if gemm.mma is not None and gemm.mma not in INSTRUCTIONS:
            yield _unknown(gemm.where, "mma", gemm.mma, INSTRUCTIONS)


def _unknown(where: DocPath, key: str, word: str, known: Sequence[str]) -> Fault:
    return Fault(where, "unknown-word", f"`{key}` {word!r} is not known", "one of " + ", ".join(known))


def untouched(program: Program) -> Iterator[Fault]:
    """`untouched-buffer`, a warning: a buffer that no statement touches takes no space."""
    used = {name for statement in program.body for name in touches(statement)}
    for buffer in program.buffers:
        if buffer.name not in used:
            message = f"no statement touches {buffer.name!r}: it takes no space"
            yield Fault(buffer.where, "untouched-buffer", message, severity="warning")


def stages_without_copies(body: Iterable[Statement]) -> Iterator[Fault]:
    """`stages-without-copies`, a warning: num_stages does nothing where planning finds no copy."""
    for loop in filter(asks_for_stages, everything(body)):
        if not any(is_copy(inner) for inner in everything(children(loop))):
            message = "`num_stages` has no effect: nothing in this loop is copied from global memory"
            yield Fault(loop.where, "stages-without-copies", message, severity="warning")


def read_before_write(program: Program) -> Iterator[Fault]:
    """`read-before-write`: each buffer whose first read comes before every write.

    A warning where a write may still come first: in an earlier iteration of a loop around both, or in another
    branch or an `if` beside it, which other warps may run; an error anywhere else. A `compute` that reads and
    writes a buffer may write it first.
    """
    declared = {buffer.name for buffer in program.buffers}
    seen = {name for statement in program.body for name in reads(statement)} - declared
    yield from _unwritten(program.body, set(), set(), seen)


def _unwritten(
    body: Sequence[Statement], written: set[str], perhaps: set[str], seen: set[str]
) -> Iterator[Fault]:
    beside = [each for each in body if isinstance(each, If)]
    for statement in body:
        if isinstance(statement, Loop):
            yield from _unread(statement.reads, written, perhaps, seen, statement)
            yield from _unwritten(statement.body, written, perhaps | set(writes(statement)), seen)
        elif isinstance(statement, If):
            others = {name for each in beside if each is not statement for name in writes(each)}
            then, orelse = statement.then, statement.orelse or ()
            yield from _unwritten(then, written, perhaps | others | _written_in(orelse), seen)
            yield from _unwritten(orelse, written, perhaps | others | _written_in(then), seen)
        else:
            before = written | set(writes(statement))
            yield from _unread(reads(statement), before, perhaps, seen, statement)
            written.update(writes(statement))


def _unread(
    names: Iterable[str], written: set[str], perhaps: set[str], seen: set[str], statement: Statement
) -> Iterator[Fault]:
    """A fault for each buffer that is read here first, and not written; they are seen from here on."""
    fresh = [name for name in names if name not in written | seen]
    seen.update(fresh)
    yield from (_unwritten_fault(name, name in perhaps, statement) for name in fresh)


def _written_in(body: Iterable[Statement]) -> set[str]:
    return {name for statement in body for name in writes(statement)}


def _unwritten_fault(name: str, perhaps: bool, statement: Statement) -> Fault:
    text = f"{name!r} is read before anything writes it"
    if perhaps:
        text += ", unless an earlier iteration or another warp does"
    return Fault(statement.where, "read-before-write", text, severity="warning" if perhaps else "error")
