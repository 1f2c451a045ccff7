"""Axes of a sweep: the values that a list, a range or a text names.

1..6            every integer, both ends included
16..256:16      in steps of 16
16..256*2       doubling
16, 32, 1..4    several of them, in this order
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from smemdsl.document import parse_scalar
from smemdsl.errors import ExpressionError
from smemdsl.spec import Axis, Choice

MAX_VALUES = 1_000_000
"""Values that an axis may hold, unless it is a single range."""
_RANGE = re.compile(r"\s*([+-]?\d+)\s*\.\.\s*([+-]?\d+)\s*(?:([:*])\s*([+-]?\d+)\s*)?\Z", re.ASCII)

ReadChoice = Callable[[Any, tuple[int, ...]], Choice]
"""Turns a plain value of an axis (and its index in the document's list, if it has one) into a choice."""


def read_axis(name: str, value: Any, choice: ReadChoice) -> Axis:
    """The axis of a parameter, from a list, a text or one value.

    Raises:
        ExpressionError: a range that is reversed or never ends, or a text that names no value.
    """
    if isinstance(value, list):
        parts = [_part(item, (i,), choice) for i, item in enumerate(value)]
    elif isinstance(value, str):
        parts = [_part(text, (), choice) for text in split_commas(value)]
    else:
        parts = [[choice(value, ())]]
    return Axis(name, parts[0] if len(parts) == 1 else _joined(parts))


def split_commas(text: str) -> list[str]:
    """The parts of a text between commas that stand outside parentheses."""
    parts, depth, begin = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [*parts, text[begin:]]


def _part(value: Any, index: tuple[int, ...], choice: ReadChoice) -> Sequence[Choice]:
    if not isinstance(value, str):
        return [choice(value, index)]
    if ".." in value:
        return _range(value)
    if not value.strip():
        raise ExpressionError("an axis has an empty value", code="axis")
    return [choice(parse_scalar(value.strip()), index)]


def _range(text: str) -> Sequence[int]:
    match = _RANGE.match(text)
    if match is None:
        hint = "a range is 1..6, 16..256:16 (step) or 16..256*2 (factor), of integers"
        raise ExpressionError(f"{text.strip()!r} is no range", code="axis", hint=hint)
    first, last, kind, by = match.groups()
    if any(len(number) > 19 for number in (first, last, by or "")):
        raise ExpressionError("an end of the range is too large", code="axis")
    low, high, step = int(first), int(last), int(by) if by else 1
    if low > high:
        raise ExpressionError(f"the range {text.strip()} is reversed", code="axis", hint=f"{high}..{low}")
    return _geometric(low, high, step) if kind == "*" else _arithmetic(low, high, step)


def _arithmetic(low: int, high: int, step: int) -> Sequence[int]:
    if step < 1:
        raise ExpressionError(f"a range cannot go in steps of {step}", code="axis")
    return range(low, high + 1, step)


def _geometric(low: int, high: int, factor: int) -> Sequence[int]:
    if factor < 2 or low < 1:
        raise ExpressionError(
            "a geometric range begins at 1 or more and has a factor of 2 or more", code="axis"
        )
    values = [low]
    while values[-1] * factor <= high:
        values.append(values[-1] * factor)
    return values


def _joined(parts: Sequence[Sequence[Choice]]) -> list[Choice]:
    if sum(map(len, parts)) > MAX_VALUES:
        raise ExpressionError(f"an axis of more than {MAX_VALUES} values", code="axis")
    return [value for part in parts for value in part]
