"""Sizes on a figure: in a unit that keeps them short, and beside a name that may say them already."""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.core.buffers import Bytes
from smemdsl.core.errors import ExpressionError
from smemdsl.core.units import kib, parse_size

UNITS = ("KiB", "MiB", "GiB", "TiB", "PiB")
_LARGEST = 10 * 1024
"""So many of a unit and more are told in the next one."""


def unit_of(end: Bytes) -> int:
    """The power of 1024 KiB that makes numbers up to the end short enough to read."""
    number = 0
    while end >= _LARGEST * 1024 ** (number + 1) and number < len(UNITS) - 1:
        number += 1
    return number


def in_unit(size: Bytes, number: int) -> str:
    """A size in the unit of that number; empty where it is not a whole number of the unit below."""
    whole, rest = divmod(size, 1024**number)  # the smallest unit is KiB, which is told to the byte
    return "" if rest else kib(whole).removesuffix(" KiB").removesuffix(".0")


def size_label(shown: str, names: str, sizes: Sequence[Bytes]) -> str:
    """A budget's name, and its sizes in a second line where the name does not say them."""
    if len(set(sizes)) == 1 and all(says(name, sizes[0]) for name in names.split(", ")):
        return shown
    return f"{shown}\n{' to '.join(dict.fromkeys((kib(min(sizes)), kib(max(sizes)))))}"


def says(name: str, size: Bytes) -> bool:
    """Whether a budget's name is its size, with a unit."""
    try:
        return not name.isdigit() and parse_size(name) == size
    except ExpressionError:
        return False
