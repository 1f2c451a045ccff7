"""Arguments of the library: each is of the kind that it is said to be, or an error names it.

Numbers of other libraries count as integers where Python says so (`__index__`: those of NumPy do); truth
values never do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from operator import index
from typing import Any

from smemdsl.core.errors import ArgumentTypeError, ArgumentValueError


def text(name: str, value: Any, wanted: str = "a str") -> str:
    """A text.

    Raises:
        ArgumentTypeError: it is none.
    """
    if isinstance(value, str):
        return value
    raise ArgumentTypeError(f"{name} must be {wanted}, not {kind(value)}")


def integer(name: str, value: Any, wanted: str = "an integer") -> int:
    """An integer, as Python's own.

    Raises:
        ArgumentTypeError: it is none.
    """
    if (found := as_integer(value)) is not None:
        return found
    raise ArgumentTypeError(f"{name} must be {wanted}, not {kind(value)}")


def as_integer(value: Any) -> int | None:
    """What an integer of any library is worth; None for anything else, also for a truth value."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except (TypeError, ValueError):
        return None


def seconds(name: str, value: Any) -> float:
    """A time: 0 or more.

    Raises:
        ArgumentTypeError: it is not a number.
        ArgumentValueError: it is below 0, or nan.
    """
    number = value if isinstance(value, float) else as_integer(value)
    if number is None:
        raise ArgumentTypeError(f"{name} must be a number of seconds, not {kind(value)}")
    if not number >= 0:  # nan is neither below nor above
        raise ArgumentValueError(f"{name} must be 0 seconds or more, not {number}")
    try:
        return float(number)
    except OverflowError:
        return inf


def several(name: str, value: Any, wanted: str) -> Iterable[Any]:
    """Things one after the other; neither a text nor a mapping, whose parts are something else.

    Raises:
        ArgumentTypeError: it is nothing of the kind.
    """
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, Mapping, type)):
        return value
    raise ArgumentTypeError(f"{name} must be {wanted}, not {kind(value)}")


def kind(value: Any) -> str:
    """What a value is, in a message: its type, since the value itself may be of any length."""
    return "None" if value is None else type(value).__name__
