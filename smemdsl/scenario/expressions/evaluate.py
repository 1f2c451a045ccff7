"""The value of a tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from smemdsl.core.dtypes import DType
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions.functions import ARITHMETIC, COMPARISONS, FUNCTIONS, LIMIT, overflow
from smemdsl.scenario.expressions.nodes import (
    Call,
    Chain,
    Compare,
    Conditional,
    Constant,
    Logic,
    Name,
    Node,
    Unary,
    Value,
)
from smemdsl.scenario.expressions.scope import unknown_name
from smemdsl.scenario.expressions.values import as_condition, as_number

Env = Mapping[str, Value]


def evaluate(node: Node, env: Env, later: Collection[str] = ()) -> Value:
    """The value of an expression, given those of the parameters.

    `later` are names that exist but stand below the expression; they only serve the message.

    Raises:
        ExpressionError: expr-name, expr-type, expr-overflow or expr-zero-division, at the part at fault.
    """
    try:
        return _value(node, env)
    except _UnboundError as unbound:
        raise unknown_name(unbound.name, tuple(env), later) from None


def evaluate_number(node: Node, env: Env, later: Collection[str] = ()) -> int:
    """The value of an expression that stands for a size or a count.

    Raises:
        ExpressionError: as `evaluate` and `as_number`.
    """
    value = evaluate(node, env, later)
    return value if type(value) is int else as_number(value, node.offset, _name_of(node))


def evaluate_condition(node: Node, env: Env, later: Collection[str] = ()) -> bool:
    """The value of an expression that stands for a condition.

    Raises:
        ExpressionError: as `evaluate` and `as_condition`.
    """
    return as_condition(evaluate(node, env, later), node.offset, _name_of(node))


class _UnboundError(Exception):
    """A name has no value; the caller of the evaluator knows what to say."""

    def __init__(self, name: Name) -> None:
        super().__init__(name.name)
        self.name = name


def _value(node: Node, env: Env) -> Value:
    return _RULES[type(node)](node, env)


def _number(node: Node, env: Env) -> int:
    """The value as arithmetic takes it: true counts as 1."""
    value = _RULES[type(node)](node, env)
    if isinstance(value, DType):
        return as_number(value, node.offset, _name_of(node))
    return value if type(value) is int else int(value)


def _condition(node: Node, env: Env) -> bool:
    value = _RULES[type(node)](node, env)
    return value if value is True or value is False else as_condition(value, node.offset, _name_of(node))


def _constant(node: Constant, _: Env) -> Value:
    return node.value


def _name(node: Name, env: Env) -> Value:
    try:
        value = env[node.name]
    except KeyError:
        raise _UnboundError(node) from None
    if isinstance(value, int):
        if _LOWEST < value < LIMIT:
            return value
        raise _at(overflow(), node.offset)
    if isinstance(value, DType):
        return value
    message = f"'{node.name}' is a {type(value).__name__}, and must be a whole number, true, false or a dtype"
    raise _wrong(message, node.offset)


def _unary(node: Unary, env: Env) -> Value:
    if node.op == "not":
        return not _condition(node.operand, env)
    value = _number(node.operand, env)
    return -value if node.op == "-" else value


def _chain(node: Chain, env: Env) -> int:
    value = _number(node.first, env)
    for op, operand, offset in node.rest:
        other = _number(operand, env)
        try:
            value = ARITHMETIC[op](value, other)
        except ExpressionError as error:
            raise _at(error, offset) from None
        if not _LOWEST < value < LIMIT:
            raise _at(overflow(), offset)
    return value


def _compare(node: Compare, env: Env) -> bool:
    left = _value(node.first, env)
    for op, operand, offset in node.rest:
        right = _value(operand, env)
        if isinstance(left, DType) or isinstance(right, DType):
            holds = _compare_dtypes(op, left, right, offset)
        else:
            holds = COMPARISONS[op](left, right)
        if not holds:
            return False
        left = right
    return True


def _compare_dtypes(op: str, left: Value, right: Value, offset: int) -> bool:
    if not (isinstance(left, DType) and isinstance(right, DType)):
        raise _wrong(
            "cannot compare a dtype with a number", offset, "compare it with a dtype, or write sizeof(...)"
        )
    if op not in {"==", "!="}:
        raise _wrong(
            f"dtypes are unordered: cannot apply '{op}'", offset, "compare their sizeof, or with == and !="
        )
    return (left == right) is (op == "==")


def _logic(node: Logic, env: Env) -> bool:
    decides = node.op == "or"
    for operand in node.operands:
        if _condition(operand, env) is decides:
            return decides
    return not decides


def _choice(node: Conditional, env: Env) -> Value:
    return _value(node.chosen if _condition(node.test, env) else node.otherwise, env)


def _call(node: Call, env: Env) -> int:
    function = FUNCTIONS[node.function]
    take = _dtype if function.takes_dtype else _number
    values = [take(argument, env) for argument in node.arguments]
    try:
        value = function.apply(*values)
    except ExpressionError as error:
        raise _at(error, node.offset) from None
    if value < LIMIT:
        return value
    raise _at(overflow(), node.offset)


def _dtype(node: Node, env: Env) -> DType:
    value = _value(node, env)
    if isinstance(value, DType):
        return value
    raise _wrong("sizeof takes a dtype", node.offset, "write sizeof(float16), or name a dtype parameter")


def _name_of(node: Node) -> str:
    return node.name if isinstance(node, Name) else ""


def _at(error: ExpressionError, offset: int) -> ExpressionError:
    return ExpressionError(error.message, offset, code=error.code, hint=error.hint)


def _wrong(message: str, offset: int, hint: str = "") -> ExpressionError:
    return ExpressionError(message, offset, code="expr-type", hint=hint)


_LOWEST = -LIMIT
_RULES: dict[type[Any], Callable[[Any, Env], Value]] = {
    Constant: _constant,
    Name: _name,
    Unary: _unary,
    Chain: _chain,
    Compare: _compare,
    Logic: _logic,
    Conditional: _choice,
    Call: _call,
}
