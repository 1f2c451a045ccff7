"""Many small pieces of text as few larger ones, none of which waits long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import monotonic

MOST_PIECES = 4096
LONGEST_WAIT = 0.1
"""Seconds."""


def blocks(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces joined; one that comes a moment after the block before it is passed on at once."""
    held: list[str] = []
    last = monotonic()
    for piece in pieces:
        held.append(piece)
        if len(held) == MOST_PIECES or monotonic() - last > LONGEST_WAIT:
            yield "".join(held)
            held.clear()
            last = monotonic()
    if held:
        yield "".join(held)
