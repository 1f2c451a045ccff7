"""An expression as generated code, with the meaning that `smemdsl.scenario.expressions.evaluate` gives it.

Whatever could go wrong is either shown to be impossible, or done by a function that raises. A value of the
wrong kind cannot be compiled: the plain way has the message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from smemdsl.scenario.expressions import (
    LIMIT,
    Call,
    Chain,
    Compare,
    Conditional,
    Constant,
    Logic,
    Name,
    Node,
    Unary,
)
from smemdsl.scenario.expressions.functions import (
    align_up,
    ceildiv,
    floordiv,
    modulo,
    next_pow2,
    power,
    sizeof,
)
from smemdsl.sweeping.compiled.arithmetic import (
    add,
    bounded,
    ceil,
    choose,
    extreme,
    fixed,
    multiply,
    number,
    round_up,
    subtract,
)
from smemdsl.sweeping.compiled.terms import BOOL, DTYPE, INT, CodeBuilder, Term, UncompilableError

TermEnv = Mapping[str, Term]
"""Terms by name: the parameters, and `threads` and `registers` where the file has them."""


def compiled(node: Node, env: TermEnv, build: CodeBuilder) -> Term:
    """The value of an expression.

    Raises:
        UncompilableError: a name is unknown, or a value of one kind stands where another is wanted.
    """
    return _RULES[type(node)](node, env, build)


def _number(node: Node, env: TermEnv, build: CodeBuilder) -> Term:
    return number(build, compiled(node, env, build))


def _condition(node: Node, env: TermEnv, build: CodeBuilder) -> Term:
    return _of_kind(BOOL, compiled(node, env, build))


def _of_kind(kind: str, term: Term) -> Term:
    if term.kind != kind:
        raise UncompilableError
    return term


def _constant(node: Constant, _: TermEnv, build: CodeBuilder) -> Term:
    return build.constant(node.value)


def _name(node: Name, env: TermEnv, _: CodeBuilder) -> Term:
    if node.name not in env:
        raise UncompilableError
    return env[node.name]


def _unary(node: Unary, env: TermEnv, build: CodeBuilder) -> Term:
    if node.op == "not":
        return build.term("(not {0})", (_condition(node.operand, env, build),), BOOL)
    operand = _number(node.operand, env, build)
    return operand if node.op == "+" else build.term("(-{0})", (operand,), INT, -operand.high, -operand.low)


def _chain(node: Chain, env: TermEnv, build: CodeBuilder) -> Term:
    value = _number(node.first, env, build)
    for op, operand, _offset in node.rest:
        value = bounded(build, _ARITHMETIC[op](build, value, _number(operand, env, build)))
    return value


def _floordiv(build: CodeBuilder, a: Term, b: Term) -> Term:
    if b.low < 1:
        most = max(abs(a.low), abs(a.high), 1)
        template = f"{build.function(floordiv)}({{0}}, {{1}})"
        return build.term(template, (a, b), INT, -most, most, risky=True)
    corners = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
    rising = a.rising and fixed(build, b)
    return build.term("({0} // {1})", (a, b), INT, min(corners), max(corners), rising=rising)


def _modulo(build: CodeBuilder, a: Term, b: Term) -> Term:
    if b.low < 1:
        most = max(abs(b.low), abs(b.high))
        template = f"{build.function(modulo)}({{0}}, {{1}})"
        return build.term(template, (a, b), INT, -most, most, risky=True)
    if a.low >= 0 and a.high < b.low and not b.risky:
        return a
    most = b.high - 1 if a.low < 0 else min(b.high - 1, a.high)
    return build.term("({0} % {1})", (a, b), INT, 0, most)


def _power(build: CodeBuilder, a: Term, b: Term) -> Term:
    if a.low >= 1 and b.low >= 0 and b.high < 64 and a.high**b.high < LIMIT:
        rising = a.rising and b.rising
        return build.term("({0} ** {1})", (a, b), INT, a.low**b.low, a.high**b.high, rising=rising)
    template = f"{build.function(power)}({{0}}, {{1}})"
    most = LIMIT**2  # the function stops what is far too large, and no more
    return build.term(template, (a, b), INT, -most, most, risky=True)


def _compare(node: Compare, env: TermEnv, build: CodeBuilder) -> Term:
    terms = [compiled(operand, env, build) for operand in (node.first, *(step.operand for step in node.rest))]
    ops = [step.op for step in node.rest]
    dtypes = [term.kind == DTYPE for term in terms]
    if any(dtypes) and not (all(dtypes) and {"==", "!="}.issuperset(ops)):
        raise UncompilableError
    inside = "{0}" + "".join(f" {op} {{{i + 1}}}" for i, op in enumerate(ops))
    return build.term(f"({inside})", terms, BOOL)


def _logic(node: Logic, env: TermEnv, build: CodeBuilder) -> Term:
    terms = [_condition(operand, env, build) for operand in node.operands]
    inside = f" {node.op} ".join(f"{{{i}}}" for i in range(len(terms)))
    return build.term(f"({inside})", terms, BOOL)


def _choice(node: Conditional, env: TermEnv, build: CodeBuilder) -> Term:
    parts = [compiled(part, env, build) for part in (node.chosen, node.otherwise)]
    return choose(build, _condition(node.test, env, build), *parts)


def _call(node: Call, env: TermEnv, build: CodeBuilder) -> Term:
    if node.function == "sizeof":
        dtype = _of_kind(DTYPE, compiled(node.arguments[0], env, build))
        return build.term(f"{build.function(sizeof)}({{0}})", (dtype,), INT, 1, 1 << 20, risky=True)
    numbers = [_number(argument, env, build) for argument in node.arguments]
    if node.function in ("min", "max"):
        return extreme(build, node.function, numbers)
    return bounded(build, _FUNCTIONS[node.function](build, *numbers))


def _ceildiv(build: CodeBuilder, a: Term, b: Term) -> Term:
    if b.low < 1:
        most = max(abs(a.low), abs(a.high))
        return build.term(f"{build.function(ceildiv)}({{0}}, {{1}})", (a, b), INT, -most, most, risky=True)
    corners = [ceil(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    rising = a.rising and fixed(build, b)
    return build.term("(-(-{0} // {1}))", (a, b), INT, min(corners), max(corners), rising=rising)


def _align_up(build: CodeBuilder, a: Term, b: Term) -> Term:
    if b.low >= 1:
        return round_up(build, a, b)
    high = a.high + max(b.high, 1)
    return build.term(f"{build.function(align_up)}({{0}}, {{1}})", (a, b), INT, a.low, high, risky=True)


def _next_pow2(build: CodeBuilder, a: Term) -> Term:
    high = 1 << max(a.high - 1, 0).bit_length()
    template = f"{build.function(next_pow2)}({{0}})"
    return build.term(template, (a,), INT, 1, high, risky=a.low < 1, rising=a.rising)


_Operation = Callable[[CodeBuilder, Term, Term], Term]
_ARITHMETIC: dict[str, _Operation] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "//": _floordiv,
    "%": _modulo,
    "**": _power,
}
_FUNCTIONS: dict[str, Callable[..., Term]] = {
    "ceildiv": _ceildiv,
    "align_up": _align_up,
    "next_pow2": _next_pow2,
}
_RULES: dict[type[Any], Callable[[Any, TermEnv, CodeBuilder], Term]] = {
    Constant: _constant,
    Name: _name,
    Unary: _unary,
    Chain: _chain,
    Compare: _compare,
    Logic: _logic,
    Conditional: _choice,
    Call: _call,
}
