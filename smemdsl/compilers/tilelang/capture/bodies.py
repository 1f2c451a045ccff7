"""Bodies of loops and conditions in the words of the program form: what counts in them, and what fills."""

from __future__ import annotations

from typing import Any

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.elements import Statement

SERIAL, PARALLEL, VECTORIZED, UNROLLED, BOUND = range(5)
"""Kinds of a loop in the IR."""
NOTHING: Statement = {"compute": {}}
"""A statement that touches no shared buffer but counts in planning."""


def says_global(statement: Statement) -> bool:
    """Whether a statement, or one in it, is known to read global memory."""
    if "copy" in statement or "load" in statement or statement.get("compute", {}).get("global"):
        return True
    return any(says_global(inner) for key in ("if", "else", "body") for inner in statement.get(key, ()))


def marked(statement: Statement) -> Statement:
    """The statement; each computation in it that writes shared memory says that it reads global memory."""
    inner: Statement = {
        key: list(map(marked, statement[key])) for key in ("if", "else", "body") if key in statement
    }
    if "writes" in statement.get("compute", {}):
        inner["compute"] = {**statement["compute"], "global": True}
    return {**statement, **inner}


def last_nothing(body: list[Statement]) -> list[Statement]:
    """What touches nothing matters to planning only after all that does."""
    kept = [statement for statement in body if statement != NOTHING]
    return [*kept, dict(NOTHING)] if body[-1] == NOTHING else kept


def one_nothing(body: list[Statement]) -> list[Statement]:
    """Inside a group it only matters whether there is any: then the group is no copy."""
    kept = [statement for statement in body if statement != NOTHING]
    return kept if len(kept) == len(body) else [*kept, dict(NOTHING)]


def is_repeated(node: Any) -> bool:
    """Whether the compiler repeats the body instead of looping."""
    return (
        node.kind == UNROLLED
        and "pragma_unroll_explicit" in node.annotations
        and bool(ir.constant(node.annotations["pragma_unroll_explicit"]))
    )
