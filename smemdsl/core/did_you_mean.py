"""Hints that name what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

MAX_KNOWN = 500
"""Names that one is compared with: among more, hints for a file full of errors would take too long."""

MAX_OWN = 64
"""The same of names that a file makes up itself: it can have as many mistakes as names."""


def few(names: Iterable[str]) -> tuple[str, ...]:
    """Names that a file makes up itself, to look for near ones among; none where there are too many."""
    listed = tuple(names)
    return listed if len(listed) <= MAX_OWN else ()


def nearest(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """The known names most like `name`, best first; case does not count."""
    known = tuple(known)
    return [] if len(known) > MAX_KNOWN else list(_nearest(name[:200], known, limit))


@lru_cache(maxsize=256)  # a mistake is seldom made once
def _nearest(name: str, known: tuple[str, ...], limit: int) -> tuple[str, ...]:
    import difflib

    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.lower(), candidate)
    return tuple(folded[match] for match in difflib.get_close_matches(name.lower(), folded, limit, 0.6))


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "known: ") -> str:
    """A hint: the nearest names, or all of them where none is near and there are few; may be empty."""
    known = list(known)
    if matches := nearest(name, known):
        return f"did you mean {' or '.join(matches)}?"
    return f"{otherwise}{', '.join(known)}" if 0 < len(known) <= 24 else ""
