"""Colours that can be told apart on a grey print and by the colour-blind, all of them under black text.

The fills are the scheme `light` of Paul Tol, "Colour Schemes" (SRON/EPS/TN/09-002, issue 3.2), made for
labelled areas, in an order in which neighbours also differ in luminance.
"""

from __future__ import annotations

INK = "#111111"
"""Text, outlines and lines."""
FAINT = "#8c8c8c"
"""Hatching of what is free, and lines that are not data."""
BAND = "#f0f0f0"
"""Every other band of the background."""
FILLS = ("#99ddff", "#ee8866", "#eedd88", "#77aadd", "#ffaabb", "#44bb99", "#dddddd", "#bbcc33")
HEAT = "cividis"
"""A colour map that matplotlib has: uniform, rising in luminance, made for colour-blind readers."""


def fill_of(index: int) -> str:
    """The colour of the buffer of this index, the same in every panel."""
    return FILLS[index % len(FILLS)]


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1, as WCAG 2.2 defines it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(colour: str) -> str:
    """The ink, or white, whichever is easier to read on the colour."""
    below, dark = luminance(colour), luminance(INK)
    return INK if (below + 0.05) / (dark + 0.05) >= 1.05 / (below + 0.05) else "#ffffff"
