"""Random expressions against Python's own `eval`: the language is a part of Python's."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions import evaluate, names, parse
from tests.effort import examples

LIMIT = 2**63
ENV: dict[str, Any] = {"a": 7, "b": 2, "c": -3, "zero": 0, "big": 2**61, "yes": True, "no": False}

Tree = tuple[Any, ...]
"""Kind, then parts: ("leaf", text), ("+", x, y), ("if", chosen, test, otherwise), ("call", name, x), ..."""

BINDING = {"if": 1, "or": 2, "and": 3, "not": 4, "neg": 8, "pos": 8, "**": 9, "call": 10, "leaf": 10}
BINDING |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "chain"), 5)
BINDING |= {"+": 6, "-": 6, "*": 7, "//": 7, "%": 7}

FUNCTIONS: dict[str, Callable[..., int]] = {
    "min": lambda *values: int(min(values)),
    "max": lambda *values: int(max(values)),
    "ceildiv": lambda x, y: -(-x // y),
    "align_up": lambda x, y: -(-x // y) * y,
}
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "neg": operator.neg,
    "pos": operator.pos,
    "not": operator.not_,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SCOPE = {**FUNCTIONS, **ENV, "true": True, "False": False, "__builtins__": {}}

literals = st.one_of(
    st.integers(0, 20).map(str),
    st.integers(0, LIMIT - 1).map(str),
    st.integers(0, 4096).map(hex),
    st.integers(0, 4096).map(oct),
)
number_leaves = st.tuples(st.just("leaf"), literals | st.sampled_from(["a", "b", "c", "zero", "big"]))
condition_leaves = st.tuples(st.just("leaf"), st.sampled_from(["yes", "no", "true", "False"]))
small = st.tuples(st.just("leaf"), st.sampled_from(["0", "1", "2", "3", "b", "zero"]))
exponents = small | st.tuples(st.just("**"), small, small) | st.tuples(st.just("pos"), small)


def _wider(trees: st.SearchStrategy[tuple[Tree, Tree]]) -> st.SearchStrategy[tuple[Tree, Tree]]:
    """Pairs of a number and a condition, one operator higher."""
    number = trees.map(lambda pair: pair[0])
    condition = trees.map(lambda pair: pair[1])
    operand = st.one_of(number, number, number, condition)
    sign = st.tuples(st.sampled_from(["neg", "pos"]), operand)
    arithmetic = st.tuples(st.sampled_from(["+", "-", "*", "//", "%"]), operand, operand)
    power = st.tuples(st.just("**"), operand, exponents)
    divisor = small.filter(lambda leaf: leaf[1] not in {"0", "zero"})
    rounding = st.tuples(st.just("call"), st.sampled_from(["ceildiv", "align_up"]), operand, divisor)
    extreme = st.tuples(st.just("call"), st.sampled_from(["min", "max"]), operand, operand, operand)
    compare = st.tuples(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), operand, operand)
    chain = st.tuples(
        st.just("chain"), operand, st.sampled_from(["<", "=="]), operand, st.just(">="), operand
    )
    logic = st.tuples(st.sampled_from(["and", "or"]), condition, condition)
    numbers = st.one_of(
        arithmetic,
        arithmetic,
        power,
        sign,
        rounding,
        extreme,
        st.tuples(st.just("if"), number, condition, number),
    )
    conditions = st.one_of(
        compare,
        chain,
        logic,
        st.tuples(st.just("not"), condition),
        st.tuples(st.just("if"), condition, condition, condition),
    )
    return st.tuples(numbers, conditions)


pairs = st.recursive(st.tuples(number_leaves, condition_leaves), _wider, max_leaves=8)
trees = st.one_of(pairs.map(lambda pair: pair[0]), pairs.map(lambda pair: pair[1]))
blanks = st.sampled_from(["", "", " ", "  ", "\t"])


def render(tree: Tree, least: int, blank: str) -> str:
    """The text of a tree with no bracket too many; `least` is how strongly its place binds."""
    kind, *parts = tree
    text = _render(kind, parts, blank)
    return text if BINDING[kind] >= least else f"({blank}{text}{blank})"


def _render(kind: str, parts: list[Any], blank: str) -> str:
    level = BINDING[kind]
    if kind == "leaf":
        return str(parts[0])
    if kind == "call":
        return f"{parts[0]}{blank}({f'{blank},'.join(render(part, 1, blank) for part in parts[1:])})"
    if kind == "if":
        chosen, test, otherwise = (
            render(parts[0], 2, blank),
            render(parts[1], 2, blank),
            render(parts[2], 1, blank),
        )
        return f"{chosen} if {test} else {otherwise}"
    if kind in {"not", "neg", "pos"}:
        sign = {"not": "not ", "neg": "-", "pos": "+"}[kind]
        return f"{sign}{blank}{render(parts[0], level, blank)}"
    if kind == "chain":
        return blank.join(part if isinstance(part, str) else render(part, 6, blank) for part in parts)
    left, right = {"**": (10, 8)}.get(kind, (6, 6) if level == 5 else (level, level + 1))
    gap = " " if kind in {"and", "or"} else blank
    return f"{render(parts[0], left, blank)}{gap}{kind}{gap}{render(parts[1], right, blank)}"


def walk(tree: Tree) -> Any:
    """The value of a tree, with an OverflowError as soon as anything is out of range."""
    value = _walk(*tree)
    if not -LIMIT < value < LIMIT:
        raise OverflowError
    return value


def _walk(kind: str, *parts: Any) -> Any:
    if kind == "leaf":
        return SCOPE[parts[0]] if parts[0] in SCOPE else int(parts[0], 0)
    if kind == "if":
        return walk(parts[0] if walk(parts[1]) else parts[2])
    if kind in {"and", "or"}:
        left = walk(parts[0])
        return left if left is (kind == "or") else walk(parts[1])
    if kind == "chain":
        first, op, second, last, third = parts
        left, middle = walk(first), walk(second)
        return OPERATORS[op](left, middle) and OPERATORS[last](middle, walk(third))
    apply, operands = (FUNCTIONS[parts[0]], parts[1:]) if kind == "call" else (OPERATORS[kind], parts)
    return apply(*map(walk, operands))


def leaves(tree: Tree) -> list[str]:
    """The texts of the leaves, in the order of the text."""
    if tree[0] == "leaf":
        return [tree[1]]
    return [text for part in tree[1:] if isinstance(part, tuple) for text in leaves(part)]


@settings(max_examples=examples(300), deadline=None)
@given(trees, blanks)
def test_values_are_those_of_python(tree: Tree, blank: str) -> None:
    """With the fewest brackets, a text has Python's value, or overflows or divides by zero as that does."""
    text = render(tree, 1, blank)
    try:
        expected: Any = walk(tree)
    except OverflowError:
        expected = "expr-overflow"
    except ZeroDivisionError:
        expected = "expr-zero-division"
    try:
        value: Any = evaluate(parse(text), ENV)
    except ExpressionError as error:
        assert 0 <= error.offset < len(text)
        value = error.code
    else:
        python = eval(text, dict(SCOPE))
        assert (python, type(python)) == (value, type(value))
    assert value == expected


@settings(max_examples=examples(100), deadline=None)
@given(trees, blanks)
def test_names_are_those_of_the_text(tree: Tree, blank: str) -> None:
    """Each use of a parameter is reported, in order, at the offset where it stands."""
    text = render(tree, 1, blank)
    found = names(parse(text))
    assert [name for name, _ in found] == [leaf for leaf in leaves(tree) if leaf in ENV]
    assert all(re.match(rf"{name}\b", text[offset:]) for name, offset in found)
    assert [offset for _, offset in found] == sorted({offset for _, offset in found})
