"""How far a long run has come, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic

_PAUSE = 0.2
"""Seconds between two looks."""
_BAR = 24
_SOON = 3.0
"""Seconds after which a person wonders."""


class Progress:
    """One line on stderr: share, rows, rate and time left; nothing where stderr is not a terminal."""

    def __init__(self, total: int, *, wanted: bool = True) -> None:
        self._total = max(total, 1)
        self._stream = sys.stderr
        self._wanted = wanted and self._stream is not None and self._stream.isatty()
        self._begin = self._shown = monotonic()
        self._skipped = 0
        self._drawn = False

    def skip(self, done: int) -> None:
        """What an earlier run has done, and says nothing of the rate of this one."""
        self._skipped = done

    def show(self, done: int, rows: int) -> None:
        """Draw the line anew, if the last time is a while ago."""
        now = monotonic()
        if not self._wanted or now - self._shown < _PAUSE:
            return
        self._shown = now
        self._drawn = True
        self._stream.write(f"\r{line(done, self._skipped, self._total, rows, now - self._begin)}\x1b[K")
        self._stream.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False


@contextmanager
def told(text: str) -> Iterator[None]:
    """Say on a terminal what is being done, unless it is soon over."""
    stream = sys.stderr
    timer = Timer(_SOON, lambda: stream.write(f"note: {text}\n"))
    timer.daemon = True
    if stream is not None and stream.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def line(done: int, skipped: int, total: int, rows: int, seconds: float) -> str:
    """The line: of `total` configurations `done`, of which `skipped` before these `seconds` began."""
    share = min(done / total, 1.0)
    bar = "#" * int(share * _BAR)
    rate = (done - skipped) / seconds if seconds > 0 else 0.0
    left = _clock((total - done) / rate) if rate > 0 else "?"
    return f"[{bar:<{_BAR}}] {share:4.0%}  {rows:,} rows  {rate:,.0f}/s  {left} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


LONG = 3600.0
"""Seconds of one core from which on a run is announced."""
_UNITS = (("years", 365 * 86400), ("days", 86400), ("hours", 3600))


def announcement(total: int, seconds: float, *, held: bool) -> str:
    """What is said before so many configurations are judged; nothing where one core is soon through.

    `held`: all rows are held in memory before the first is written.
    """
    if seconds < LONG:
        return ""
    unit, length = next((unit, length) for unit, length in _UNITS if seconds >= length)
    text = f"{total:,} configurations, up to {seconds / length:,.0f} {unit} of one core"
    return text + ("; this format needs all rows at once, csv and jsonl do not" if held else "")
