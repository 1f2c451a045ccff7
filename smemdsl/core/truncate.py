"""Long texts made fit to read: the middle goes, and both ends stay, which tell them apart."""

from __future__ import annotations

import re

LONGEST_WORD = 200
"""Characters of a word, the most that a name may have; a longer one is cut."""
LONGEST = 2000
"""Characters of a message."""
_LONG_WORD = rf"\S{{{LONGEST_WORD + 1},}}"
_GAP = "..."


def shortened(text: str) -> str:
    """A message without what nobody reads: of a long word, and of the whole, the middle."""
    if len(text) <= LONGEST_WORD:
        return text
    return without_middle(
        re.sub(_LONG_WORD, lambda word: without_middle(word[0], LONGEST_WORD), text), LONGEST
    )


def without_middle(text: str, most: int) -> str:
    """A text of so many characters at most: two thirds from its begin, one from its end."""
    if len(text) <= most:
        return text
    end = (most - len(_GAP)) // 3
    return f"{text[: most - len(_GAP) - end]}{_GAP}{text[len(text) - end :]}"
