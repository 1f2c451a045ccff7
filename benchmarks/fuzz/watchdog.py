"""Bounds on time and memory, of this process alone."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from benchmarks.fuzz.model import Hung

SECONDS = 20.0
"""Of processor time, so that a busy machine makes no hang; no input takes a tenth of it."""
ADDRESS_SPACE = 4 << 30


def bound_memory() -> None:
    """From now on an allocation that takes the process past the bound is a MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))


@contextmanager
def bounded(seconds: float = SECONDS) -> Iterator[None]:
    """Raise Hung in what takes longer."""
    signal.signal(signal.SIGVTALRM, _hung)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _hung(_signal: int, _frame: FrameType | None) -> None:
    raise Hung
