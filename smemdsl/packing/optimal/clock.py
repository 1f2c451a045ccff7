"""When to stop: the only thing in this package that is not a function of the input."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """A limit in seconds of wall time, counted from the making of the clock."""

    def __init__(self, limit: float, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._end = now() + limit

    def left(self) -> float:
        """Seconds left; negative when the limit is passed."""
        return self._end - self._now()

    def over(self) -> bool:
        """Whether the limit is passed."""
        return self._now() >= self._end

    def share(self, parts: int) -> Clock:
        """A clock for the first of `parts` equal shares of what is left."""
        return Clock(self.left() / parts, self._now)
