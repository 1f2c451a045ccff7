"""The values of a scenario's fields as terms, as `smemdsl.scenario.binding` has them: bound and checked."""

from __future__ import annotations

from collections.abc import Mapping

from smemdsl.core.dtypes import DType
from smemdsl.scenario.expressions import LIMIT
from smemdsl.scenario.spec import Choice, Condition, Expr, Number, ScenarioSpec
from smemdsl.sweeping.compiled.arithmetic import not_below
from smemdsl.sweeping.compiled.expressions import TermEnv, compiled
from smemdsl.sweeping.compiled.terms import (
    BOOL,
    DTYPE,
    INT,
    CodeBuilder,
    Term,
    UncompilableError,
    UnsureError,
)


def bound(
    build: CodeBuilder, spec: ScenarioSpec, swept: Mapping[str, Term], fixed: Mapping[str, Choice]
) -> TermEnv:
    """The environment of the file's expressions: `swept` parameters change in the loops, `fixed` do not.

    Raises:
        UncompilableError: something has no value.
    """
    special = (("threads", spec.threads), ("registers", spec.registers))
    env = {name: build.constant(number) for name, number in special if isinstance(number, int)}
    for name, own in spec.params:
        env[name] = swept[name] if name in swept else _choice(build, fixed.get(name, own), env)
    for name, number in special:
        if isinstance(number, Expr):
            env[name] = not_below(build, 1, count(build, number, env))
    return env


def _choice(build: CodeBuilder, choice: Choice, env: TermEnv) -> Term:
    if isinstance(choice, Expr):
        return build.pin(compiled(choice.node, env, build))
    if isinstance(choice, int) and not -LIMIT < choice < LIMIT:
        raise UncompilableError
    return build.constant(choice)


def count(build: CodeBuilder, value: Number, env: TermEnv) -> Term:
    """A size or a count; worked out at once, so that an error in it cannot be missed.

    Raises:
        UncompilableError: it is a condition or a dtype.
    """
    return build.constant(value) if isinstance(value, int) else _of_kind(INT, build, value, env)


def condition(build: CodeBuilder, value: Condition, env: TermEnv) -> Term:
    """A condition; worked out at once.

    Raises:
        UncompilableError: it is a number or a dtype.
    """
    return build.constant(value) if isinstance(value, bool) else _of_kind(BOOL, build, value, env)


def dtype(build: CodeBuilder, value: DType | Expr, env: TermEnv) -> Term:
    """A dtype.

    Raises:
        UncompilableError: it is a number or a condition.
    """
    return build.constant(value) if isinstance(value, DType) else _of_kind(DTYPE, build, value, env)


def _of_kind(kind: str, build: CodeBuilder, value: Expr, env: TermEnv) -> Term:
    term = compiled(value.node, env, build)
    if term.kind != kind:
        raise UncompilableError
    return build.pin(term) if term.risky else term


def least(build: CodeBuilder, lowest: int, value: Number, env: TermEnv) -> Term:
    """A size or a count that is not below `lowest`."""
    return not_below(build, lowest, count(build, value, env))


def alignment(build: CodeBuilder, value: Number, env: TermEnv) -> Term:
    """A power of two.

    Raises:
        UncompilableError: it never is one.
    """
    term = least(build, 1, value, env)
    template = f"{build.function(power_of_two)}({{0}})"
    return build.pin(build.term(template, (term,), INT, term.low, term.high, risky=True))


def power_of_two(value: int) -> int:
    """A power of two.

    Raises:
        UnsureError: it is none.
    """
    if value & (value - 1):
        raise UnsureError
    return value
