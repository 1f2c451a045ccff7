"""How much a kernel may grow from one side to the other: `5%`, `4KiB`, `4096`."""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdsl.core.buffers import Bytes
from smemdsl.core.errors import ExpressionError
from smemdsl.core.units import parse_size

_PERCENT = re.compile(r"\s*(?P<whole>[0-9]{1,9})(?:\.(?P<part>[0-9]{1,6}))?\s*%\s*", re.ASCII)
_SCALE = 1_000_000


class Growth(NamedTuple):
    """A limit on growth, as it was written: of millionths of a percent, or of bytes."""

    text: str
    percent: int | None
    size: Bytes | None

    def allows(self, old: Bytes, new: Bytes) -> bool:
        """Whether the new size stays within the limit; from nothing, any growth is more than any percent."""
        if self.percent is not None:
            return (new - old) * 100 * _SCALE <= old * self.percent
        assert self.size is not None
        return new - old <= self.size


def read_growth(text: str) -> Growth:
    """The limit that a text stands for.

    Raises:
        ExpressionError: it is neither a percentage nor a size.
    """
    match = _PERCENT.fullmatch(text)
    if match is not None:
        part = (match["part"] or "").ljust(6, "0")
        return Growth(text.strip(), int(match["whole"]) * _SCALE + int(part), None)
    size = parse_size(text)
    if size is None:
        raise ExpressionError(f"{text!r} is not a limit on growth: 5%, 4KiB or 4096 is", code="size")
    return Growth(text.strip(), None, size)
