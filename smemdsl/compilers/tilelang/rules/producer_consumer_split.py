"""What warp specialisation makes of a program: types, and the rewriting they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from smemdsl.program.statements import (
    Copy,
    If,
    Loop,
    Statement,
)


class Split(NamedTuple):
    """A pipelined loop that became a producer and a consumer loop, with what runs between them."""

    loop: Loop
    producer: tuple[Statement, ...]
    between: tuple[Statement, ...]
    consumer: tuple[Statement, ...]


class Guarded(NamedTuple):
    """What follows the statement that encloses the split loop: one conditional."""

    body: tuple[Emitted, ...]


class Branch(NamedTuple):
    """An `if` on the way to the split loop."""

    then: tuple[Emitted, ...]
    orelse: tuple[Emitted, ...] | None


class Around(NamedTuple):
    """A loop on the way to the split loop."""

    loop: Loop
    body: tuple[Emitted, ...]


Emitted = Statement | Split | Guarded | Branch | Around


class Specialised(NamedTuple):
    """A program after the pass that specialises warps; `Copy.tma` now says that a copy is TMA."""

    body: tuple[Emitted, ...]
    split: Loop | None
    """The loop that was split."""
    preloaded: tuple[Copy, ...]
    """TMA copies before it, each with a barrier of its own."""
    dropped: bool = False
    """Every num_stages was dropped."""
    versioned: bool = False
    """What its loops fill had versions before anything was planned: this launch or a sibling was split."""


def rebuild(statement: Statement, change: Callable[[Statement], Statement]) -> Statement:
    """The statement with each one directly inside it replaced by what `change` makes of it."""
    if isinstance(statement, Loop):
        return statement._replace(body=tuple(map(change, statement.body)))
    if isinstance(statement, If):
        orelse = None if statement.orelse is None else tuple(map(change, statement.orelse))
        return statement._replace(then=tuple(map(change, statement.then)), orelse=orelse)
    return statement


def without_tma(statement: Statement) -> Statement:
    """With every copy in it plain; in a kernel that is not warp-specialised no copy is TMA."""
    if isinstance(statement, Copy):
        return statement._replace(tma=False)
    return rebuild(statement, without_tma)


def without_stages(statement: Statement) -> Statement:
    """With every `num_stages` in it dropped."""
    inner = rebuild(statement, without_stages)
    return inner._replace(num_stages=0) if isinstance(inner, Loop) else inner
