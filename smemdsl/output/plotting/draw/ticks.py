"""Ticks of axes: of bytes, of slots, and of the values of a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axis import Axis
from matplotlib.transforms import ScaledTranslation

from smemdsl.core.buffers import Bytes
from smemdsl.output.plotting.draw.page import Canvas
from smemdsl.output.plotting.labels import every, thinned
from smemdsl.output.plotting.sizes import UNITS, in_unit, unit_of

_MOST = 8


class ByteTicks(NamedTuple):
    """An axis of bytes."""

    unit: str
    places: list[Bytes]
    texts: list[str]


def byte_ticks(end: Bytes) -> ByteTicks:
    """Multiples of a power of two up to the end, in KiB; in a larger unit where these would be many."""
    step = 1
    while end // step > _MOST:
        step *= 2
    number = unit_of(end)
    places = list(range(0, end + 1, step))
    return ByteTicks(UNITS[number], places, [in_unit(place, number) for place in places])


def value_ticks(page: Canvas, axis: Axis, values: Sequence[str], length: float, *, along: bool) -> None:
    """A tick in the middle of each value's place, labelled where there is room; `length` is in inches.

    `along` says that texts run along the axis, which takes more room than lines above each other.
    """
    size = 0.9 * page.points
    step = length * 72 / max(1, len(values))
    widths = [page.measure(value, size) if along else size for value in values]
    shown = every(values, widths, step, size / 2)
    axis.set_ticks([i + 0.5 for i in shown], [values[i] for i in shown])
    if along:
        centres = [(i + 0.5) * step for i in shown]
        _keep_inside(page, axis, centres, [widths[i] for i in shown], length * 72)


def edge_ticks(
    page: Canvas, axis: Axis, texts: Sequence[str], edges: Sequence[float], length: float, size: float
) -> None:
    """Labels at places from 0 to 1, as many as have room; none leaves the axis by more than a line."""
    widths = [page.measure(text, size) for text in texts]
    whole = length * 72
    most = page.line * 72
    centres = [
        min(max(edge * whole, width / 2 - most), whole + most - width / 2)
        for edge, width in zip(edges, widths, strict=True)
    ]
    shown = thinned(widths, centres, size / 2)
    axis.set_ticks([edges[i] for i in shown], [texts[i] for i in shown])
    _keep_inside(page, axis, [edges[i] * whole for i in shown], [widths[i] for i in shown], whole)


def _keep_inside(
    page: Canvas, axis: Axis, centres: Sequence[float], widths: Sequence[float], whole: float
) -> None:
    """Move labels that would leave the axis by more than a line; all is in points."""
    most = page.line * 72
    for label, centre, width in zip(axis.get_ticklabels(), centres, widths, strict=True):
        before, after = width / 2 - most - centre, centre + width / 2 - most - whole
        if before > 0 or after > 0:
            move = before if before > 0 else -after
            inches = page.figure.dpi_scale_trans
            label.set_transform(label.get_transform() + ScaledTranslation(move / 72, 0, inches))
