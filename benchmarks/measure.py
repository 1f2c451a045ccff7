"""Timing: CPU time of whole processes and of functions, medians, and lines of the table."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Line(NamedTuple):
    """One row of the table; figures as text."""

    what: str
    ours: str
    peer: str
    ratio: str
    wanted: str
    peer_is: str


def process_seconds(command: Sequence[str]) -> float:
    """CPU seconds, user and system, of one run of a command whose output is thrown away.

    Raises:
        CalledProcessError: the command fails.
    """
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command, stderr=errors)
    return usage.ru_utime + usage.ru_stime


def pair(ours: Sequence[str], peer: Sequence[str], runs: int) -> tuple[float, float, float]:
    """Median CPU seconds of two commands run in turn, and the median of the ratios run by run."""
    process_seconds(ours), process_seconds(peer)
    pairs = [(process_seconds(ours), process_seconds(peer)) for _ in range(runs)]
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def function_seconds(action: Callable[[], object], runs: int = 5) -> float:
    """Median CPU seconds of a function."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        action()
        times.append(time.process_time() - begin)
    return statistics.median(times)
