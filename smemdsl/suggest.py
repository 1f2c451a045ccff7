"""Hints that name what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

MAX_KNOWN = 500
"""Names that one is compared with: among more, hints for a file full of errors would take too long."""


def nearest(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """The known names most like `name`, best first; case does not count."""
    known = list(known)
    if len(known) > MAX_KNOWN:
        return []
    import difflib

    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.lower(), candidate)
    return [folded[match] for match in difflib.get_close_matches(name[:200].lower(), folded, limit, 0.6)]


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "known: ") -> str:
    """A hint: the nearest names, or all of them where none is near and there are few; may be empty."""
    known = list(known)
    if matches := nearest(name, known):
        return f"did you mean {' or '.join(matches)}?"
    return f"{otherwise}{', '.join(known)}" if 0 < len(known) <= 24 else ""
