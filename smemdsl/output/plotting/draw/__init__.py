"""Figures drawn by matplotlib, which the extra `smemdsl[plot]` brings."""

from __future__ import annotations

from smemdsl.output.plotting.draw.curves import draw_curves
from smemdsl.output.plotting.draw.heat import draw_heat
from smemdsl.output.plotting.draw.maps import draw_map
from smemdsl.output.plotting.draw.page import Canvas, Drawn, TooSmallError, on_page
from smemdsl.output.plotting.maps import MapFigure
from smemdsl.output.plotting.sheet import Sheet
from smemdsl.output.plotting.sweeps import CurveFigure, HeatFigure

__all__ = ["Drawn", "TooSmallError", "drawn"]


def drawn(figure: MapFigure | HeatFigure | CurveFigure, sheet: Sheet, suffix: str) -> Drawn:
    """The bytes of a file that shows a figure; the same bytes for the same figure, whenever and wherever.

    Args:
        figure: What to draw.
        sheet: What to draw it on.
        suffix: One of `SUFFIXES`.

    Raises:
        TooSmallError: it has no room on the sheet.
    """

    def draw(page: Canvas) -> None:
        if isinstance(figure, MapFigure):
            draw_map(page, figure)
        elif isinstance(figure, HeatFigure):
            draw_heat(page, figure)
        else:
            draw_curves(page, figure)

    return on_page(draw, sheet, suffix, figure.title)
