"""Text to tokens."""

import re
from typing import NamedTuple

from smemdsl.core.dtypes import lookup
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions.complaints import foreign_hint, foreign_message, number_complaint
from smemdsl.scenario.expressions.functions import LIMIT, overflow
from smemdsl.scenario.expressions.words import KEYWORDS

MAX_LENGTH = 2000
"""Characters that an expression may have."""

_TOKEN = re.compile(
    r"""[ \t\r\n]* (?:
      (?P<name> [A-Za-z_][A-Za-z0-9_]* (?: \.[A-Za-z_][A-Za-z0-9_]* )* )
    | (?P<number> [0-9][0-9A-Za-z_.]* )
    | (?P<foreign> << | >> | <> | && | \|\| )
    | (?P<op> \*\* | // | [=!<>]= | [-+*%<>(),] )
    | (?P<end> \Z )
    | (?P<other> . )
    )""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER = re.compile(r"0|[1-9][0-9]*|0x[0-9a-fA-F]+|0o[0-7]+")


class Token(NamedTuple):
    """A word of the text."""

    kind: str
    """`name`, `number`, `end`; an operator or a keyword is its own kind."""
    text: str
    offset: int


def tokenize(text: str) -> list[Token]:
    """The tokens of a text; the last has kind `end` and stands where the last word ends.

    Raises:
        ExpressionError: the text is too long (expr-too-big), has a character, an operator or a number that
            the language does not have (expr-syntax), or a number out of range (expr-overflow).
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"an expression has at most {MAX_LENGTH} characters", MAX_LENGTH, code="expr-too-big"
        )
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        word = match[kind]
        offset = match.start(kind)
        if kind == "end":
            break
        if kind == "op" or word in KEYWORDS:
            kind = word
        elif kind != "name" or "." in word:
            _refuse(kind, word, offset)
        tokens.append(Token(kind, word, offset))
    last = tokens[-1] if tokens else Token("", "", 0)
    tokens.append(Token("end", "", last.offset + len(last.text)))
    return tokens


def number(token: Token) -> int:
    """The value of a token of kind `number`.

    Raises:
        ExpressionError: it is out of range (expr-overflow).
    """
    value = int(token.text, 0)
    if value >= LIMIT:
        raise ExpressionError(
            "the number does not fit into 64 bits", token.offset, code="expr-overflow", hint=overflow().hint
        )
    return value


def _refuse(kind: str, word: str, offset: int) -> None:
    """Raise unless it is a well-formed number, or a dtype with its module's name."""
    if kind == "number":
        if not _INTEGER.fullmatch(word):
            message, hint = number_complaint(word)
            raise ExpressionError(message, offset, code="expr-syntax", hint=hint)
    elif kind == "name":
        if lookup(word) is None:
            dot = offset + word.index(".")
            raise ExpressionError(foreign_message("."), dot, code="expr-syntax", hint=foreign_hint("."))
    else:
        raise ExpressionError(foreign_message(word), offset, code="expr-syntax", hint=foreign_hint(word))
