"""Parameters get their values, and expressions theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from smemdsl.core.dtypes import DType
from smemdsl.core.errors import DocPath, ExpressionError, Fault, FaultError
from smemdsl.scenario import expressions
from smemdsl.scenario.spec import Choice, Condition, Expr, Number, ScenarioSpec, Value

Env = Mapping[str, Value]
"""Values by name: the parameters, and `threads` and `registers` where the file has them."""


def bind(spec: ScenarioSpec, overrides: Mapping[str, Choice] | None = None) -> dict[str, Value]:
    """The environment that the file's expressions are evaluated in.

    Raises:
        FaultError: an expression has no value, or `threads` or `registers` is not a number of at least 1.
    """
    env: dict[str, Value] = {}
    special = (("threads", spec.threads), ("registers", spec.registers))
    for name, number in special:
        if isinstance(number, int):
            env[name] = number
    overrides = overrides or {}
    for name, value in spec.params:
        env[name] = _value(overrides.get(name, value), env)
    for name, number in special:
        if isinstance(number, Expr):
            env[name] = at_least(1, number, env, name)
    return env


def _value(choice: Choice, env: Env) -> Value:
    return _evaluate(choice, env) if isinstance(choice, Expr) else choice


def violated(constraints: Sequence[Condition], env: Env) -> list[Condition]:
    """The constraints that do not hold."""
    return [constraint for constraint in constraints if not condition(constraint, env)]


def number(value: Number, env: Env) -> int:
    """The value of a size or a count; a bare condition or a dtype is none."""
    if isinstance(value, int):
        return value
    try:
        return expressions.evaluate_number(value.node, env)
    except ExpressionError as error:
        raise _fault(value, error) from None


def condition(value: Condition, env: Env) -> bool:
    """The value of a condition; a bare number is none."""
    if isinstance(value, bool):
        return value
    try:
        return expressions.evaluate_condition(value.node, env)
    except ExpressionError as error:
        raise _fault(value, error) from None


def at_least(least: int, value: Number, env: Env, what: str, where: DocPath = ()) -> int:
    """The value of a number that must not be below `least`; `what` names it in the message."""
    result = value if isinstance(value, int) else number(value, env)
    if result < least:
        place = value.where if isinstance(value, Expr) else where
        raise FaultError(
            [Fault(place, "out-of-range", f"`{what}` is {result}, but must be at least {least}")]
        )
    return result


def dtype(value: DType | Expr, env: Env) -> DType:
    """The dtype that a field or the parameter it names stands for."""
    if isinstance(value, DType):
        return value
    result = _evaluate(value, env)
    if isinstance(result, DType):
        return result
    raise FaultError([Fault(value.where, "expr-type", f"`{value.text}` is {show(result)}, not a dtype")])


def show(value: Value) -> str:
    """A value as the file would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.name if isinstance(value, DType) else str(value)


def plain(value: Value) -> Any:
    """A value as json has it: an integer, a boolean, or the name of a dtype."""
    return value.name if isinstance(value, DType) else value


def _evaluate(expr: Expr, env: Env) -> Value:
    try:
        return expressions.evaluate(expr.node, env)
    except ExpressionError as error:
        raise _fault(expr, error) from None


def _fault(expr: Expr, error: ExpressionError) -> FaultError:
    return FaultError([Fault(expr.where, error.code, error.message, error.hint, offset=error.offset)])
