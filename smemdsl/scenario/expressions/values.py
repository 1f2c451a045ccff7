"""What a place wants of a value: a number, a condition."""

from __future__ import annotations

from smemdsl.core.dtypes import DType
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions.nodes import Value


def as_number(value: Value, offset: int = 0, name: str = "") -> int:
    """The value, where a size or a count is wanted.

    `offset` and `name` (of the parameter that it is, if it is one) only serve the message.

    Raises:
        ExpressionError: it is a truth value or a dtype (expr-type).
    """
    if isinstance(value, DType):
        hint = f"its size in bytes is sizeof({name or value.name})"
        raise _wrong("dtype used as a number", offset, hint)
    if isinstance(value, bool):
        what = f"'{name}' is true or false" if name else "a bare comparison"
        raise _wrong(f"{what} used as a size or count", offset, f"write `1 if {name or '...'} else 0`")
    return value


def as_condition(value: Value, offset: int = 0, name: str = "") -> bool:
    """The value, where a condition is wanted; `offset` and `name` as for `as_number`.

    Raises:
        ExpressionError: it is a number or a dtype (expr-type).
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, DType):
        hint = f"compare it, as in `{name or 'dtype'} == {value.name}`"
        raise _wrong("dtype used as a condition", offset, hint)
    raise _wrong("number used as a condition", offset, f"write `{name or '...'} != 0`")


def _wrong(message: str, offset: int, hint: str) -> ExpressionError:
    return ExpressionError(message, offset, code="expr-type", hint=hint)
