"""How sure a result is: what lowering says of the number that it gives.

A lowered program carries `uncertain`, a tuple of `Uncertainty`; so does a scenario whose file has the key
`confidence`. None: the number is exact. Nothing else decides it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

EXACT, BOUND, APPROXIMATE = "exact", "bound", "approximate"
"""The number is the compiler's; it is a lower bound of it; it may differ either way."""

SIGNS = {EXACT: "", BOUND: ">= ", APPROXIMATE: "~"}
"""What stands before a number of bytes."""
DOUBTS = {BOUND: "a lower bound", APPROXIMATE: "approximate"}
"""What a number is, in words."""
AT_MOST = {EXACT: "", BOUND: "<= ", APPROXIMATE: "~"}
"""What stands before a number of blocks, which more bytes make smaller."""


class Uncertainty(NamedTuple):
    """One reason why a number is not known to be the compiler's."""

    kind: str
    """`bound`: storage is missing, so that the compiler takes as much or more; `approximate`: it may take
    less, too."""
    reason: str
    """A clause without a full stop, for a sentence that says that the number is a lower bound, or
    approximate."""


def bound(reason: str) -> Uncertainty:
    """The number is a lower bound: the compiler adds storage that is not counted."""
    return Uncertainty(BOUND, reason)


def approximate(reason: str) -> Uncertainty:
    """The number may differ from the compiler's either way."""
    return Uncertainty(APPROXIMATE, reason)


def confidence(uncertain: Iterable[Uncertainty]) -> str:
    """`exact`, `bound` or `approximate`, the least sure of all: one doubt either way takes a bound away."""
    kinds = {item.kind for item in uncertain}
    return APPROXIMATE if APPROXIMATE in kinds else BOUND if kinds else EXACT


def reasons(uncertain: Iterable[Uncertainty], kind: str) -> tuple[str, ...]:
    """The reasons of one kind."""
    return tuple(item.reason for item in uncertain if item.kind == kind)
