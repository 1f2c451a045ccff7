"""How many examples a property test tries: all that it asks for under the profile `full`, else a quarter."""

from __future__ import annotations

from hypothesis import settings


def examples(full: int) -> int:
    """`full`, or of it the share that the profile has of hypothesis' usual 100, but not below 10."""
    return max(min(full, 10), full * settings().max_examples // 100)
