"""Limits that keep every program quick to lower: how deep it nests, and how much it unrolls to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from smemdsl.core.errors import Fault
from smemdsl.program.statements import Loop, Statement
from smemdsl.program.walk import children

DEEPEST: Final = 40
"""Loops and `if`s in each other; kernels have four or five."""
LARGEST: Final = 100_000
"""Statements after unrolling every prologue and epilogue; kernels have a few hundred."""


def too_deep(body: Sequence[Statement]) -> Iterator[Fault]:
    """`too-deep`: a statement inside more loops and `if`s than any kernel has."""
    level: Sequence[Statement] = body
    for _ in range(DEEPEST):
        level = [inner for statement in level for inner in children(statement)]
    if level:
        message = f"more than {DEEPEST} loops and conditions in each other"
        yield Fault(level[0].where, "too-deep", message)


def too_large(body: Sequence[Statement]) -> Iterator[Fault]:
    """`too-large`: what a statement unrolls to is beyond any kernel; call it on what is not too deep."""
    total = 0
    for statement in body:
        total += unrolled(statement)
        if total > LARGEST:
            message = f"the program unrolls to more than {LARGEST} statements"
            yield Fault(statement.where, "too-large", message, "lower `num_stages`")
            return


def unrolled(statement: Statement) -> int:
    """An upper bound on what one statement becomes: a pipelined loop has num_stages rounds on each side."""
    inner = 1 + sum(map(unrolled, children(statement)))
    return inner * (2 * max(statement.num_stages, 0) + 1) if isinstance(statement, Loop) else inner
