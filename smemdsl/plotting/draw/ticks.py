"""Ticks of axes: of bytes, and of the values of a parameter."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axis import Axis

from smemdsl.model import Bytes
from smemdsl.plotting.draw.page import Page
from smemdsl.plotting.labels import thinned
from smemdsl.units import kib

_MOST = 8


def byte_ticks(end: Bytes) -> list[tuple[Bytes, str]]:
    """Multiples of a power of two up to the end, each with its KiB."""
    step = 1
    while end // step > _MOST:
        step *= 2
    return [(tick, kib(tick).removesuffix(" KiB").removesuffix(".0")) for tick in range(0, end + 1, step)]


def value_ticks(page: Page, axis: Axis, values: Sequence[str], length: float, *, along: bool) -> None:
    """A tick in the middle of each value's place, labelled where there is room; `length` is in inches.

    `along` says that texts run along the axis, which takes more room than lines above each other.
    """
    size = 0.9 * page.points
    step = length * 72 / max(1, len(values))
    widths = [page.measure(value, size) if along else size for value in values]
    shown = thinned(widths, [(i + 0.5) * step for i in range(len(values))], size / 2)
    axis.set_ticks([i + 0.5 for i in shown], [values[i] for i in shown])
