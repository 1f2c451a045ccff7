"""Generated expressions: what they give, and what was known of them beforehand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from smemdsl.core import dtypes
from smemdsl.core.errors import ExpressionError, SmemdslError
from smemdsl.scenario import expressions
from smemdsl.scenario.expressions import Node
from smemdsl.sweeping.compiled.expressions import compiled
from smemdsl.sweeping.compiled.loops import LoopCode, variables
from smemdsl.sweeping.compiled.terms import INT, CodeBuilder, Term, UncompilableError
from tests.sweeping.random_scenarios import EXPRESSION

FLOAT16 = dtypes.find("float16")
OUTER = st.lists(st.integers(-3, 20), min_size=1, max_size=4)
INNER = st.lists(st.integers(-3, 20), min_size=2, max_size=5, unique=True).map(sorted)


def loops(outer: list[int], inner: list[int]) -> list[LoopCode]:
    """Loops over all parameters that the expressions use; b is the innermost."""
    flags = LoopCode(("flag",), [False, True])
    kinds = LoopCode(("kind", "c", "d", "e"), [(FLOAT16, 1, 2, 3), (dtypes.find("int4"), 0, 7, 2**40)])
    return [flags, kinds, LoopCode(("a",), outer), LoopCode(("b",), inner)]


def generated(node: Node, nest: list[LoopCode]) -> tuple[Term, Any]:
    """The term of an expression, and a function of the parameters that gives its value."""
    build = CodeBuilder(len(nest))
    terms = variables(build, nest)
    term = compiled(node, terms, build)
    body = "; ".join(line for lines in build.lines for line in lines)
    names = ", ".join(f"{name}" for name in terms)
    binds = "; ".join(f"{term.source} = {name}" for name, term in terms.items())
    source = f"def value({names}):\n    {binds}\n    {body or 'pass'}\n    return {term.source}\n"
    return term, build.function_of(source, "value")


def environments(nest: list[LoopCode]) -> list[dict[str, Any]]:
    """What the parameters are in each turn, the innermost fastest."""
    flags, kinds, outer, inner = nest
    return [
        dict(zip(kinds.names, kind, strict=True)) | {"flag": flag, "a": a, "b": b}
        for flag in flags.values
        for kind in kinds.values
        for a in outer.values
        for b in inner.values
    ]


def outcome(action: Any) -> Any:
    """A value, or None for an error."""
    try:
        return action()
    except SmemdslError:
        return None


@given(EXPRESSION, OUTER, INNER)
def test_generated_expressions(text: str, outer: list[int], inner: list[int]) -> None:
    """The generated code gives the evaluator's value or fails; and the value lies where it was said to lie.

    Where the evaluator has a value the code may fail all the same, for what an `if` would have left out; the
    plain way then finds it.
    """
    node = expressions.parse(text)
    nest = loops(outer, inner)
    try:
        term, value = generated(node, nest)
    except UncompilableError:
        assume(False)
        raise
    before: Any = None
    for env in environments(nest):
        got = outcome(lambda env=env: value(**env))
        if got is not None:
            assert got == expressions.evaluate(node, env)
            assert type(got) is (int if term.kind == INT else bool)
            assert term.low <= got <= term.high
            if term.rising and before is not None and env["b"] != inner[0]:
                assert before <= got
        before = got


@pytest.mark.parametrize(
    ("text", "risky"),
    [
        ("a * b + 1", False),
        ("a * 4611686018427387904", True),
        ("16 // b", False),
        ("16 // (b - 1)", True),
        ("b % a", True),
        ("ceildiv(a, b)", False),
        ("2 ** b", False),
        ("2 ** (b * 9)", True),
        ("next_pow2(b)", False),
        ("next_pow2(a)", True),
    ],
)
def test_checks_are_left_out_only_where_nothing_can_fail(text: str, risky: bool) -> None:
    """With a in 0..9 and b in 1..9, what may fail is known to, and nothing else is checked."""
    term, _ = generated(expressions.parse(text), loops(list(range(10)), list(range(1, 10))))
    assert term.risky == risky


@pytest.mark.parametrize("text", ["a + kind", "unknown", "flag if a > 1 else a", "kind < kind", "a and flag"])
def test_kinds_that_cannot_be(text: str) -> None:
    """A value of the wrong kind, or of two kinds, is left to the plain way."""
    with pytest.raises(UncompilableError):
        generated(expressions.parse(text), loops([1], [1, 2]))


def test_an_expression_is_worked_out_where_it_changes() -> None:
    """What depends on an outer loop alone is a statement of that loop."""
    build = CodeBuilder(2)
    terms = variables(build, [LoopCode(("a",), [1, 2]), LoopCode(("b",), [1, 2])])
    compiled(expressions.parse("(a * a + 1) * b"), terms, build)
    assert build.lines == [["t0 = ((p0x0 * p0x0) + 1)"], []]


def test_errors_of_constants() -> None:
    """A constant that has no value cannot be compiled, as no configuration has a meaning."""
    with pytest.raises(UncompilableError):
        generated(expressions.parse("1 // 0 + a"), loops([1], [1, 2]))
    with pytest.raises(ExpressionError):
        expressions.evaluate(expressions.parse("1 // 0"), {})
