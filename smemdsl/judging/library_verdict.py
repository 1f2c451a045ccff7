"""The verdict as the library hands it out: it can also say what would fit."""

from __future__ import annotations

from collections.abc import Iterable

from smemdsl.judging.suggestions import Suggestion, suggest
from smemdsl.judging.verdict import Verdict as Judged


class Verdict(Judged):
    """What became of one scenario on one budget."""

    __slots__ = ()

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What would make it fit; if it fits, what would let more blocks run. Computed on each access."""
        return suggest(self)


def for_library(verdicts: Iterable[Judged]) -> list[Verdict]:
    """The same verdicts, able to suggest."""
    return [Verdict(*verdict) for verdict in verdicts]
