"""An arena as geometry: rectangles over slots and addresses, of which whoever draws makes a picture.

`picture_of` has the buffers, the free space and who shares storage; `axis_of` places slots so that a long
loop takes no more room than what happens in it is worth; `grid_of` is the same arena as cells.
"""

from __future__ import annotations

from smemdsl.output.picture.axis import SlotAxis, axis_of
from smemdsl.output.picture.blocks import Block, Picture, Space, budget_line, picture_of
from smemdsl.output.picture.grid import FREE, Grid, grid_of

__all__ = [
    "FREE",
    "Block",
    "Grid",
    "Picture",
    "SlotAxis",
    "Space",
    "axis_of",
    "budget_line",
    "grid_of",
    "picture_of",
]
