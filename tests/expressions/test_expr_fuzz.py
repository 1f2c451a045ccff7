"""Whatever the text, there is a value or an ExpressionError; and the grammar is Python's, cut down."""

from __future__ import annotations

import ast
import re
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from smemdsl.core.dtypes import find
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions import LIMIT, MAX_LENGTH, evaluate, parse
from tests.effort import examples

ENV: dict[str, Any] = {"a": 7, "b": 2, "flag": True, "dt": find("float16"), "big": 2**62}
CODES = {"syntax", "too-big", "call", "name", "type", "overflow", "zero-division"}

WORDS = [
    "a",
    "b",
    "flag",
    "dt",
    "big",
    "zz",
    "0",
    "1",
    "9",
    "64",
    "0x1F",
    "0o17",
    "007",
    "1_0",
    "1.5",
    "float16",
]
WORDS += ["and", "or", "not", "if", "else", "true", "False", "min", "max", "ceildiv", "align_up", "next_pow2"]
WORDS += ["sizeof", "+", "-", "*", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "(", ")", "(", ")", ","]
STRANGE = [
    "/",
    "=",
    "&",
    "|",
    "<<",
    "'",
    '"',
    "[",
    "{",
    ":",
    ".",
    "..",
    "\0",
    "\n",
    "\u00d7",
    "\u2212",
    "\ud800",
    "#",
]

texts = st.one_of(
    st.text(max_size=200),
    st.text("ab019 +-*/%()<>=!.,_ifelsndotru", max_size=60),
    st.lists(st.sampled_from([*WORDS, *STRANGE]), max_size=40).map("".join),
    st.lists(st.sampled_from([*WORDS, *WORDS, *STRANGE]), max_size=40).map(" ".join),
    st.tuples(st.sampled_from(WORDS), st.integers(0, 900)).map(lambda pair: pair[0] * pair[1]),
    st.tuples(st.sampled_from(WORDS), st.integers(0, 900)).map(lambda pair: f"{pair[0]} " * pair[1]),
)


@settings(max_examples=examples(400), deadline=None)
@given(texts)
@example("(" * 100_000)
@example("9**" * 300 + "9")
@example("1" * MAX_LENGTH)
@example("big*" * 400 + "big")
@example("not(" * 400)
@example("-(" * 400 + "1" + ")" * 400)
@example("a if " * 300)
@example("sizeof(" * 200)
def test_any_text_has_a_value_or_an_error(text: str) -> None:
    """No text does anything but give a value in range, or an ExpressionError at a place of the text."""
    try:
        value = evaluate(parse(text), ENV)
    except ExpressionError as error:
        assert error.code.removeprefix("expr-") in CODES
        assert 0 <= error.offset <= min(len(text), MAX_LENGTH)
        assert error.message.isprintable()
        assert len(error.message) < 200
        assert len(error.hint) < 600
    else:
        assert not isinstance(value, int) or -LIMIT < value < LIMIT


SHARED = [
    "a",
    "b",
    "flag",
    "0",
    "1",
    "64",
    "0x1F",
    "0o17",
    "and",
    "or",
    "not",
    "if",
    "else",
    "(",
    ")",
    "(",
    ")",
]
SHARED += ["min (", "max (", ",", "+", "-", "*", "//", "%", "**", "==", "!=", "<", "<=", ">", ">="]
NODES = (
    ast.Expression,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.IfExp,
    ast.Compare,
    ast.Call,
    ast.Constant,
    ast.Name,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)


def python_accepts(text: str) -> bool:
    """Whether it is an expression to Python, with nothing in it that the language leaves out."""
    try:
        nodes = list(ast.walk(ast.parse(text, mode="eval")))
    except SyntaxError:
        return False
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    known = all(isinstance(node.func, ast.Name) and node.func.id in {"min", "max"} for node in calls)
    foreign = not all(isinstance(node, NODES) for node in nodes) or re.search(
        r", \)|min \( \)|max \( \)", text
    )
    return known and not foreign


@st.composite
def shared_words(draw: st.DrawFn) -> str:
    """Words of the grammar, more often than not in an order that makes sense."""
    operand = st.sampled_from(["a", "64", "( b )", "flag", "- 1", "not flag", "min ( a , b )", "( a"])
    infix = st.sampled_from(["+", "-", "*", "**", "//", "<", "==", "and", "or", "if", "else", ")", ","])
    sensible = draw(st.lists(st.tuples(operand, infix), max_size=6))
    words = [word for pair in sensible for word in pair] + [draw(operand)]
    for _ in range(draw(st.integers(0, 2))):
        words.insert(draw(st.integers(0, len(words))), draw(st.sampled_from(SHARED)))
    return " ".join(words)


@settings(max_examples=examples(400), deadline=None)
@given(st.one_of(shared_words(), st.lists(st.sampled_from(SHARED), max_size=12).map(" ".join)))
def test_the_grammar_is_pythons(text: str) -> None:
    """Of words that both have, the parser accepts exactly what Python accepts."""
    try:
        parse(text)
        accepted = True
    except ExpressionError:
        accepted = False
    assert accepted == python_accepts(text)
