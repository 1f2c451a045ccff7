"""Arithmetic on terms, with the intervals of the results."""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.scenario.expressions import LIMIT
from smemdsl.sweeping.compiled.terms import BOOL, CONSTANT, INT, CodeBuilder, Term, UncompilableError


def number(build: CodeBuilder, term: Term) -> Term:
    """A number, or a condition as arithmetic takes it: true counts as 1.

    Raises:
        UncompilableError: it is a dtype.
    """
    if term.kind == INT:
        return term
    if term.kind == BOOL:
        return build.term("(+{0})", (term,), INT, term.low, term.high)
    raise UncompilableError


def fixed(build: CodeBuilder, term: Term) -> bool:
    """Whether it is the same in all iterations of the innermost loop."""
    return term.loop < build.innermost


def add(build: CodeBuilder, a: Term, b: Term) -> Term:
    """`a + b`, however large."""
    if a.source == "0" or b.source == "0":
        return b if a.source == "0" else a
    return build.term(
        "({0} + {1})", (a, b), INT, a.low + b.low, a.high + b.high, rising=a.rising and b.rising
    )


def subtract(build: CodeBuilder, a: Term, b: Term) -> Term:
    """`a - b`, however large."""
    if b.source == "0":
        return a
    rising = a.rising and fixed(build, b)
    return build.term("({0} - {1})", (a, b), INT, a.low - b.high, a.high - b.low, rising=rising)


def multiply(build: CodeBuilder, a: Term, b: Term) -> Term:
    """`a * b`, however large."""
    for one, other in ((a, b), (b, a)):
        if one.loop == CONSTANT and one.low == 1 == one.high:
            return other
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    rising = a.rising and b.rising and a.low >= 0 and b.low >= 0
    return build.term("({0} * {1})", (a, b), INT, min(corners), max(corners), rising=rising)


def extreme(build: CodeBuilder, function: str, terms: Sequence[Term]) -> Term:
    """`min` or `max` of one or more numbers."""
    apply = max if function == "max" else min
    distinct = list({term.source: term for term in terms}.values())
    if function == "max":
        surest = max(distinct, key=lambda term: (term.low, term.high))
        distinct = [term for term in distinct if term is surest or term.risky or term.high > surest.low]
    if len(distinct) == 1:
        return distinct[0]
    inside = ", ".join(f"{{{i}}}" for i in range(len(distinct)))
    low, high = apply(term.low for term in distinct), apply(term.high for term in distinct)
    rising = all(term.rising for term in distinct)
    return build.term(f"{function}({inside})", distinct, INT, low, high, rising=rising)


def round_up(build: CodeBuilder, a: Term, unit: Term) -> Term:
    """The least multiple of `unit`, which is positive, that is not below `a`."""
    if unit.loop == CONSTANT and unit.low == 1:
        return a
    low, high = a.low, a.high + unit.high - 1
    if unit.low == unit.high:
        low, high = (ceil(end, unit.low) * unit.low for end in (a.low, a.high))
    rising = a.rising and fixed(build, unit)
    return build.term("(-(-{0} // {1}) * {1})", (a, unit), INT, low, high, rising=rising)


def ceil(a: int, b: int) -> int:
    """`a / b`, rounded up."""
    return -(-a // b)


def total(build: CodeBuilder, terms: Sequence[Term]) -> Term:
    """The sum of terms; those of outer loops are added up there."""
    result = build.constant(0)
    for term in sorted(terms, key=lambda term: term.loop):
        result = add(build, result, term)
    return result


def choose(build: CodeBuilder, test: Term, chosen: Term, otherwise: Term) -> Term:
    """`chosen if test else otherwise`."""
    if test.value is not None:
        return chosen if test.value else otherwise
    if chosen.kind != otherwise.kind:
        raise UncompilableError
    low, high = min(chosen.low, otherwise.low), max(chosen.high, otherwise.high)
    rising = chosen.rising and otherwise.rising and fixed(build, test)
    return build.term(
        "({1} if {0} else {2})", (test, chosen, otherwise), chosen.kind, low, high, rising=rising
    )


def bounded(build: CodeBuilder, term: Term) -> Term:
    """The same number, checked to fit into 64 bits where that is not certain."""
    if term.low > -LIMIT and term.high < LIMIT:
        return term
    low, high = max(term.low, 1 - LIMIT), min(term.high, LIMIT - 1)
    return build.term("checked({0})", (term,), INT, low, high, risky=True, rising=term.rising)


def not_below(build: CodeBuilder, least: int, term: Term) -> Term:
    """The same number, checked to be at least that where it is not certain."""
    if term.low >= least:
        return term
    if term.high < least:
        raise UncompilableError
    guarded = build.term(
        f"at_least({least}, {{0}})", (term,), INT, least, term.high, risky=True, rising=term.rising
    )
    return build.pin(guarded)
