"""What a plain scalar stands for: YAML 1.2's core schema, stricter.

`no`, `on`, `1_000`, `12:30`, `010` and dates are strings. Floats are told apart, since they are errors: JSON
Schema would take 128.0 for an integer.
"""

import re
from collections.abc import Callable
from typing import Any

STR, INT, BOOL, NULL, FLOAT, MERGE, MAP, SEQ = (
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "bool", "null", "float", "merge", "map", "seq")
)
"""Tags of the values that a document may hold; FLOAT is the one that is refused."""
LIMIT = 2**63
"""Integers lie between -2^63 and 2^63, both excluded."""

_INTEGER = re.compile(r"(?:[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+)\Z")
_DECIMAL = re.compile(
    r"[-+]?(?:(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))\Z"
)
_DIGITS = 24
"""More characters than any integer below the limit has; also keeps int() from seeing thousands of digits."""
_TRUE = ("true", "True", "TRUE")
WORDS = (
    dict.fromkeys((*_TRUE, "false", "False", "FALSE"), BOOL)
    | dict.fromkeys(("", "~", "null", "Null", "NULL"), NULL)
    | dict.fromkeys((".nan", ".NaN", ".NAN"), FLOAT)
    | {"<<": MERGE}
)
"""Texts that stand for something else than themselves or a number, and their tags."""
NUMERIC = frozenset("+-.0123456789")
"""What a number begins with."""


def tag_of(text: str) -> str:
    """The tag of a plain scalar."""
    return WORDS.get(text) or (number_tag(text) if text[0] in NUMERIC else STR)


def number_tag(text: str) -> str:
    """The tag of a plain scalar that begins as a number does."""
    if _INTEGER.match(text):
        return INT
    return FLOAT if _DECIMAL.match(text) else STR


def integer(text: str) -> int | None:
    """The value of an integer; None where it is none, or is out of range."""
    if len(text) > _DIGITS:
        return None
    digits = text.isascii() and text.isdigit() and text[0] != "0"  # the usual case, without a regex
    if not digits and not _INTEGER.match(text):
        return None
    value = int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    return value if -LIMIT < value < LIMIT else None


READ: dict[str, Callable[[str], Any]] = {
    STR: str,
    MERGE: str,
    INT: integer,
    BOOL: _TRUE.__contains__,
    NULL: lambda _: None,
}
"""Tag to what its text stands for."""


def parse_scalar(text: str) -> int | bool | str:
    """An integer, a boolean, or the text itself where it is neither, as a document would read it."""
    tag = tag_of(text) if text else STR
    value: int | bool | None = READ[tag](text) if tag in (INT, BOOL) else None
    return text if value is None else value
