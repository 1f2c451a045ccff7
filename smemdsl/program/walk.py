"""Walks over statements: what they read and write, and the loops among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from smemdsl.program.statements import (
    AtomicAdd,
    Compute,
    Copy,
    Gemm,
    If,
    Load,
    Loop,
    Reduce,
    Statement,
    Store,
    StoreResult,
)


def children(statement: Statement) -> tuple[Statement, ...]:
    """The statements directly inside, both branches of an `if`."""
    if isinstance(statement, If):
        return statement.then + (statement.orelse or ())
    if isinstance(statement, Loop):
        return statement.body
    return ()


def everything(statements: Iterable[Statement]) -> Iterator[Statement]:
    """All statements in source order, each before what it contains."""
    for statement in statements:
        yield statement
        yield from everything(children(statement))


def reads(statement: Statement) -> tuple[str, ...]:
    """Shared buffers that it reads, with all it contains."""
    match statement:
        case Store() | AtomicAdd():
            return (statement.source,)
        case StoreResult():
            return ()
        case Gemm():
            return tuple(name for name in (statement.a, statement.e, statement.b) if name is not None)
        case Compute():
            return statement.reads + statement.indexes
        case Reduce() | Copy() | Load():
            return statement.reads
        case If() | Loop():
            return bounds(statement) + tuple(name for inner in children(statement) for name in reads(inner))


def bounds(statement: Statement) -> tuple[str, ...]:
    """Shared buffers that the bounds of a loop are read from."""
    return statement.reads if isinstance(statement, Loop) else ()


def reads_for_values(statement: Statement) -> tuple[str, ...]:
    """Shared buffers that it reads for more than an index or an address, with all it contains."""
    match statement:
        case Copy() | Load():
            return ()
        case Compute():
            return statement.reads
        case If() | Loop():
            inside = (name for inner in children(statement) for name in reads_for_values(inner))
            return (*bounds(statement), *inside)
        case _:
            return reads(statement)


def writes(statement: Statement) -> tuple[str, ...]:
    """Shared buffers that it writes, with all it contains."""
    match statement:
        case Copy():
            return (statement.to,)
        case Load():
            return statement.to
        case Compute():
            return statement.writes
        case If() | Loop():
            return tuple(name for inner in children(statement) for name in writes(inner))
        case _:
            return ()


def touches(statement: Statement) -> tuple[str, ...]:
    """Shared buffers that it reads or writes, each once."""
    return tuple(dict.fromkeys(reads(statement) + writes(statement)))


def is_copy(statement: Statement) -> bool:
    """Whether planning takes it for a copy: a copy or load, or a loop or `if` of nothing else."""
    if isinstance(statement, If | Loop):
        inner = children(statement)
        return bool(inner) and all(map(is_copy, inner))
    return isinstance(statement, Copy | Load)


def fills(statement: Statement) -> bool:
    """Whether it writes shared memory and reads global memory, whatever else it does in between."""
    inside = [statement, *everything(children(statement))]
    return bool(writes(statement)) and any(
        isinstance(each, Copy | Load) or (isinstance(each, Compute) and each.reads_global) for each in inside
    )


def asks_for_stages(statement: Statement) -> bool:
    """Whether it is a loop with `num_stages` of 1 or more."""
    return isinstance(statement, Loop) and statement.num_stages >= 1


def operands(statements: Iterable[Statement]) -> frozenset[str]:
    """Operands of some gemm; the metadata of a sparse one is none."""
    return frozenset(
        name
        for statement in everything(statements)
        if isinstance(statement, Gemm)
        for name in statement.operands
    )
