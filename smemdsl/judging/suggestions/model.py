"""A suggestion: a change, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smemdsl.core.buffers import Bytes

QUICK = 0.05
"""Seconds that a policy which searches has for one thing that is tried."""


class Suggestion(NamedTuple):
    """A change, and what comes of it by the model."""

    kind: str
    """parameter, pair, config, policy, request, buffer or occupancy."""
    change: str
    """What to paste after the command (`--set num_stages=3`), or what to change, in words."""
    outcome: str
    """What comes of it, in words."""
    fits: bool
    """Whether it then fits the budget that was judged, and holds the constraints."""
    arena_bytes: Bytes
    """Size of the arena after it."""
    settings: Mapping[str, int | bool | str]
    """Parameters to give, as `Scenario.check` takes them; what else was given stays given."""
    policy: str | None = None
    """The packing policy to take instead."""

    @property
    def text(self) -> str:
        """The change and its outcome."""
        return f"{self.change}: {self.outcome}"
