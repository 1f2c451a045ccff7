"""One row of the table, and how a set of instances becomes one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple
from unittest.mock import patch

from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal import place
from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.validate import violation


class Row(NamedTuple):
    """Figures as text."""

    what: str
    instances: str
    proved: str
    seconds: str
    gap: str
    remarks: str = ""

    def line(self) -> str:
        """The row in columns."""
        widths = (34, 9, 8, 30, 10, 0)
        return "  ".join(cell.ljust(width) for cell, width in zip(self, widths, strict=True)).rstrip()


class Result(NamedTuple):
    """One instance, placed."""

    arena: int
    bound: int
    seconds: float
    """CPU time."""

    @property
    def gap(self) -> float:
        """Arena above the bound, as a share of it."""
        return self.arena / self.bound - 1 if self.bound else 0.0


def measured(buffers: Sequence[Buffer], limit: float) -> Result:
    """Place, check and time one instance; the limit is CPU time here, so that what else runs does not matter.

    Raises:
        AssertionError: the packing is not valid.
    """
    begin = time.process_time()
    with patch("smemdsl.packing.optimal.Clock", partial(Clock, now=time.process_time)):
        packing = place(buffers, 16, time_limit=limit)
    seconds = time.process_time() - begin
    assert packing.lower_bound is not None
    assert (problem := violation(buffers, packing)) is None, problem
    return Result(packing.arena, packing.lower_bound, seconds)


def summary(what: str, results: Iterable[Result], within: float) -> Row:
    """A row for many instances; `within` is the time that 99 % of them should take."""
    listed = list(results)
    times = sorted(result.seconds for result in listed)
    proved = sum(result.arena == result.bound for result in listed)
    quick = sum(result.arena == result.bound and result.seconds <= within for result in listed)
    near = sum(result.gap <= 0.001 for result in listed)
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    return Row(
        what,
        str(len(listed)),
        str(proved),
        f"{times[len(times) // 2] * 1e3:.1f} / {p99 * 1e3:.0f} / {times[-1] * 1e3:.0f} ms",
        f"{max(result.gap for result in listed):.3%}",
        f"{quick / len(listed):.1%} proved in {within:g} s, {near / len(listed):.1%} within 0.1 % of it",
    )
