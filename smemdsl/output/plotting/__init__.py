"""Figures of arenas and sweeps: what is on them as plain data, apart from `draw`, which knows matplotlib."""

from __future__ import annotations

from smemdsl.output.plotting.maps import MOST_BUFFERS, MapFigure, Panel, map_figure
from smemdsl.output.plotting.sheet import SIZES, SUFFIXES, Sheet
from smemdsl.output.plotting.sweeps import (
    MOST_CELLS,
    MOST_POINTS,
    CurveFigure,
    HeatFigure,
    Swept,
    curve_figure,
    heat_figure,
)

__all__ = [
    "MOST_BUFFERS",
    "MOST_CELLS",
    "MOST_POINTS",
    "SIZES",
    "SUFFIXES",
    "CurveFigure",
    "HeatFigure",
    "MapFigure",
    "Panel",
    "Sheet",
    "Swept",
    "curve_figure",
    "heat_figure",
    "map_figure",
]
