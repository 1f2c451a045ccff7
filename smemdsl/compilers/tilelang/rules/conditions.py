"""Names for conditions, so that the parts of one `if` are known to belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from smemdsl.compilers.tilelang.rules.producer_consumer_split import rebuild
from smemdsl.program.statements import If, Statement


def name_conditions(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """Every `if` without a condition gets one of its own: it is split, and the parts may be merged again."""
    numbers = count(1)
    return tuple(_named(statement, numbers) for statement in body)


def _named(statement: Statement, numbers: Iterator[int]) -> Statement:
    if isinstance(statement, If) and not statement.condition:
        statement = statement._replace(condition=f"condition {next(numbers)}")
    return rebuild(statement, lambda inner: _named(inner, numbers))
