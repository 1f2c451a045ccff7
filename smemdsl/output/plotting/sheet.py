"""The sheet that a figure is drawn on."""

from __future__ import annotations

from typing import NamedTuple

SUFFIXES = (".svg", ".png", ".pdf")
"""Ends of the names of files that can be written."""


class Sheet(NamedTuple):
    """Size of a figure and of its text."""

    width: float
    """Inches."""
    height: float
    """Inches."""
    points: float
    """Size of the text; titles are a little larger, notes a little smaller."""

    def resized(self, width: float | None, height: float | None) -> Sheet:
        """The same with another width or height, where one is given."""
        return self._replace(width=width or self.width, height=height or self.height)


SIZES = {
    "column": Sheet(3.5, 3.6, 7),
    "page": Sheet(7, 4.2, 8),
    "slide": Sheet(13.333, 7.5, 16),
}
"""A column and the whole width of a paper of two columns; a slide of 16:9."""
