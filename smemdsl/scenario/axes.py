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

from smemdsl.core.errors import ExpressionError, Fault
from smemdsl.scenario.spec import Axis, Choice
from smemdsl.source.document import parse_scalar

MAX_VALUES = 1_000_000
"""Values that an axis may hold, unless it is a single range."""
MOST_FILLED = 1024
"""Values that a parameter of `fill` may choose from: each that is tried is a whole judgement."""
LIMIT = 2**63
"""The ends of a range, and the distance between them, stay below this."""
_INTEGER = r"([-+]?(?:0|[1-9][0-9]*))"
_RANGE = rf"{_INTEGER}\s*\.\.\s*{_INTEGER}\s*(?:([:*])\s*{_INTEGER})?"

ReadChoice = Callable[[Any, tuple[int, ...]], Choice]
"""Turns a plain value of an axis (and its index in the document's list, if it has one) into a choice."""


class AxisError(ExpressionError):
    """A text that is not an axis; `index` leads to it where it is an item of a list."""

    def __init__(self, error: ExpressionError, begin: int, index: tuple[int, ...]) -> None:
        super().__init__(error.message, begin, code=error.code, hint=error.hint)
        self.index = index


def read_axis(name: str, value: Any, choice: ReadChoice) -> Axis:
    """The axis of a parameter, from a list, a text or one value.

    Raises:
        AxisError: a range that is reversed or never ends, or a text that names no value.
    """
    if isinstance(value, list):
        parts = [_part(item, (i,), choice) for i, item in enumerate(value)]
    elif isinstance(value, str):
        parts = [_part(text, (), choice, begin) for begin, text in split_commas(value)]
    else:
        parts = [[choice(value, ())]]
    return Axis(name, parts[0] if len(parts) == 1 else _joined(parts))


def fill_fault(axis: Axis) -> Fault | None:
    """What keeps a parameter from taking the largest value of an axis: no integers, or too many of them."""
    where = ("fill", axis.name)
    if len(axis.values) > MOST_FILLED:
        message = f"{len(axis.values)} values to choose from; no more than {MOST_FILLED} are tried"
        return Fault(where, "too-many-values", message)
    if isinstance(axis.values, range) or all(type(value) is int for value in axis.values):
        return None
    hint = "give a range (1..16) or a list of integers"
    return Fault(where, "fill-type", "the largest is chosen, so every value must be an integer", hint)


def split_commas(text: str) -> list[tuple[int, str]]:
    """The parts of a text between commas that stand outside parentheses, each with its offset."""
    parts, depth, begin = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append((begin, text[begin:i]))
            begin = i + 1
    return [*parts, (begin, text[begin:])]


def _part(value: Any, index: tuple[int, ...], choice: ReadChoice, begin: int = 0) -> Sequence[Choice]:
    """The values of one item, or of a part that begins at an offset of the axis's text."""
    if not isinstance(value, str):
        return [choice(value, index)]
    text = value.strip()
    begin += len(value) - len(value.lstrip())
    try:
        if ".." in text:
            return _range(text)
        if not text:
            raise _error("an axis has an empty value")
    except ExpressionError as error:
        raise AxisError(error, begin, index) from None
    read = parse_scalar(text)
    return [choice(" " * begin + text if isinstance(read, str) else read, index)]


def _range(text: str) -> Sequence[int]:
    match = re.fullmatch(_RANGE, text, re.ASCII)
    if match is None:
        hint = "a range is 1..6, 16..256:16 (step) or 16..256*2 (factor), of integers"
        raise _error(f"{text!r} is not a range", hint)
    first, last, kind, by = match.groups()
    if max(map(len, (first, last, by or ""))) > 20:
        raise _error("an end of the range is too large")
    low, high, step = int(first), int(last), int(by) if by else 1
    if max(-low, high, high - low + 1) >= LIMIT:
        raise _error("an end of the range is too large")
    if low > high:
        raise _error(f"the range {text} is reversed", f"write {high}..{low}")
    return _geometric(low, high, step) if kind == "*" else _arithmetic(low, high, step)


def _arithmetic(low: int, high: int, step: int) -> Sequence[int]:
    if step < 1:
        raise _error(f"a range cannot go in steps of {step}")
    return range(low, high + 1, step)


def _geometric(low: int, high: int, factor: int) -> Sequence[int]:
    if factor < 2 or low < 1:
        raise _error("a geometric range begins at 1 or more and has a factor of 2 or more")
    values = [low]
    while values[-1] * factor <= high:
        values.append(values[-1] * factor)
    return values


def _joined(parts: Sequence[Sequence[Choice]]) -> list[Choice]:
    if sum(map(len, parts)) > MAX_VALUES:
        raise AxisError(_error(f"an axis of more than {MAX_VALUES} values"), 0, ())
    return [value for part in parts for value in part]


def _error(message: str, hint: str = "") -> ExpressionError:
    return ExpressionError(message, code="axis", hint=hint)
