"""Tokens to tree, by precedence climbing; precedences and grouping are Python's."""

from __future__ import annotations

import re
from functools import lru_cache

from smemdsl.core.dtypes import lookup
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions.complaints import UNIT_HINT, UNITS, clipped
from smemdsl.scenario.expressions.functions import FUNCTIONS
from smemdsl.scenario.expressions.nodes import (
    Call,
    Chain,
    Compare,
    Conditional,
    Constant,
    Logic,
    Name,
    Node,
    Operation,
    Unary,
)
from smemdsl.scenario.expressions.tokens import Token, number, tokenize
from smemdsl.scenario.expressions.words import CONSTANTS, is_reserved

MAX_DEPTH = 64
"""How deep an expression may nest: each bracket, and each operand of a stronger operator, is a level."""

_CHOICE, _OR, _NOT, _COMPARE, _SIGN, _POWER = 1, 2, 4, 5, 8, 9
_LEVELS = {
    "if": _CHOICE,
    "or": _OR,
    "and": 3,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), _COMPARE),
    "+": 6,
    "-": 6,
    **dict.fromkeys(("*", "//", "%"), 7),
    "**": _POWER,
}
"""Infix operators by how strongly they bind."""

_PREFIXES = {"not": _NOT, "-": _SIGN, "+": _SIGN}
_PLAIN = re.compile(r"(?P<number>0|[1-9][0-9]{0,17})|(?P<name>[A-Za-z_][A-Za-z0-9_]{0,99})")
_QUOTING = 'in a flow list a comma ends the item: quote the expression, as in ["ceildiv(a, 2)", 4]'


_DATE = r"\s*[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\s*"
"""YAML 1.1 would read a date, which is not a number: not 1975 for 2001-12-14."""


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """The tree of an expression; the same text gives the same tree.

    Raises:
        ExpressionError: it is not an expression (expr-syntax), calls what cannot be called or with the wrong
            number of arguments (expr-call), is too long or too deep (expr-too-big), or has a number out of
            range (expr-overflow).
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        if plain.lastgroup == "number":
            return Constant(int(text))
        if not is_reserved(text):
            return Name(text)
    if "-" in text and re.fullmatch(_DATE, text, re.ASCII):
        spaced = text.replace("-", " - ")
        raise _syntax(f"{text} is a date, and no number", 0, f"for a difference say {spaced}")
    return _Parser(tokenize(text)).whole()


class _Parser:
    """A cursor over the tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.token = tokens[0]
        self.depth = 0
        self.height = 0
        """Of the node parsed last: the evaluator recurses as deep as a tree is high."""

    def whole(self) -> Node:
        node = self.expression(_CHOICE)
        if self.token.kind != "end":
            raise _unexpected(self.token)
        return node

    def advance(self) -> Token:
        token = self.token
        self.at += 1
        self.token = self.tokens[self.at]
        return token

    def expression(self, floor: int) -> Node:
        """An expression of operators that bind at least as strongly as `floor`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _too_deep(self.token.offset)
        node = self.operand(floor)
        while (level := _LEVELS.get(self.token.kind, 0)) >= floor:
            node = self.choice(node) if level == _CHOICE else self.infix(node, level)
        self.depth -= 1
        return node

    def operand(self, floor: int) -> Node:
        token = self.advance() if self.token.kind != "end" else self.token
        kind = token.kind
        if kind == "name":
            return self.call(token) if self.token.kind == "(" else self.word(token)
        if kind == "number":
            self.height = 1
            return Constant(number(token), token.offset)
        if kind == "(":
            node = self.expression(_CHOICE)
            self.close(token)
            return node
        if kind in _PREFIXES:
            return self.prefix(token, floor)
        raise _no_operand(token)

    def word(self, token: Token) -> Node:
        self.height = 1
        word = token.text
        if word in CONSTANTS:
            return Constant(CONSTANTS[word], token.offset)
        if word in FUNCTIONS:
            raise _bad_call(f"function '{word}' is not called", token, f"write {FUNCTIONS[word].usage}")
        dtype = lookup(word)
        return Name(word, token.offset) if dtype is None else Constant(dtype, token.offset)

    def prefix(self, token: Token, floor: int) -> Node:
        level = _PREFIXES[token.kind]
        if level < floor and level == _NOT:
            raise _syntax("'not' needs parentheses here", token.offset, "write (not x)")
        node = Unary(token.kind, self.expression(level), token.offset)
        self.grow(self.height, token.offset)
        return node

    def infix(self, first: Node, level: int) -> Node:
        """All operators of one level that follow each other; `**` alone groups from the right."""
        height, offset = self.height, self.token.offset
        rest: list[Operation] = []
        while _LEVELS.get(self.token.kind) == level:
            op = self.advance()
            operand = self.expression(_SIGN if level == _POWER else level + 1)
            rest.append(Operation(op.kind, operand, op.offset))
            height = max(height, self.height)
        self.grow(height, offset)
        if level == _COMPARE:
            return Compare(first, tuple(rest), first.offset)
        if level < _NOT:
            return Logic(rest[0].op, (first, *(step.operand for step in rest)), first.offset)
        return Chain(first, tuple(rest), first.offset)

    def choice(self, chosen: Node) -> Node:
        height = self.height
        question = self.advance()
        test = self.expression(_OR)
        height = max(height, self.height)
        if self.token.kind != "else":
            if self.token.kind not in {"end", ")", ","}:
                raise _unexpected(self.token)
            raise _syntax("'if' without 'else'", question.offset, "write `a if condition else b`")
        self.advance()
        otherwise = self.expression(_CHOICE)
        self.grow(max(height, self.height), question.offset)
        return Conditional(chosen, test, otherwise, chosen.offset)

    def call(self, name: Token) -> Node:
        function = FUNCTIONS.get(name.text)
        if function is None:
            hint = f"functions are {', '.join(FUNCTIONS)}"
            raise _bad_call(f"'{clipped(name.text)}' is not a function", name, hint)
        arguments = self.arguments()
        self.grow(self.height, name.offset)
        count = len(arguments)
        if count < function.least or (function.most is not None and count > function.most):
            raise _bad_call(f"{name.text} does not take {count} values", name, f"write {function.usage}")
        return Call(name.text, arguments, name.offset)

    def arguments(self) -> tuple[Node, ...]:
        opening = self.advance()
        found: list[Node] = []
        height = 0
        while self.token.kind != ")" or found:
            found.append(self.expression(_CHOICE))
            height = max(height, self.height)
            if self.token.kind != ",":
                break
            self.advance()
        self.close(opening)
        self.height = height
        return tuple(found)

    def close(self, opening: Token) -> None:
        if self.token.kind == "end":
            raise _syntax("unclosed '('", opening.offset, _QUOTING)
        if self.token.kind != ")":
            raise _unexpected(self.token)
        self.advance()

    def grow(self, below: int, offset: int) -> None:
        """Note the height of a node that stands on nodes of height `below`."""
        self.height = below + 1
        if self.height > MAX_DEPTH:
            raise _too_deep(offset)


def _syntax(message: str, offset: int, hint: str = "") -> ExpressionError:
    return ExpressionError(message, offset, code="expr-syntax", hint=hint)


def _bad_call(message: str, name: Token, hint: str) -> ExpressionError:
    return ExpressionError(message, name.offset, code="expr-call", hint=hint)


def _too_deep(offset: int) -> ExpressionError:
    return ExpressionError(f"nested deeper than {MAX_DEPTH} levels", offset, code="expr-too-big")


def _no_operand(token: Token) -> ExpressionError:
    if token.kind == "end" and token.offset == 0:
        return _syntax("expected an expression", 0)
    if token.kind == "end":
        return _syntax("unexpected end of expression", token.offset)
    return _syntax(f"missing operand before '{token.text}'", token.offset)


def _unexpected(token: Token) -> ExpressionError:
    if token.kind == ")":
        return _syntax("unmatched ')'", token.offset, _QUOTING)
    if token.kind == ",":
        return _syntax("a comma is allowed only between the arguments of a call", token.offset)
    if token.kind == "else":
        return _syntax("'else' without 'if'", token.offset, "write `a if condition else b`")
    if token.kind == "if":
        return _syntax("a second 'if' here needs parentheses", token.offset)
    hint = UNIT_HINT if token.text in UNITS else ""
    return _syntax(f"missing operator before '{clipped(token.text)}'", token.offset, hint)
