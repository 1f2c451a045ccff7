"""Colours of a map: a background for each buffer, on which black text can be read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from smemdsl.output.map.canvas import BUDGET, MapLine
from smemdsl.output.picture import FREE

_BACKGROUNDS = (117, 222, 151, 182, 216, 229, 159, 146)
"""Light ones of the 256 colours, whose shades no terminal's theme changes."""
_BLACK = 16
_DIM, _BOLD_RED, _RESET = "\x1b[2m", "\x1b[1;31m", "\x1b[0m"


def plain(lines: Iterable[MapLine]) -> str:
    """The lines as text."""
    return "\n".join("".join(cell.text for cell in line).rstrip() for line in lines)


def coloured(lines: Iterable[MapLine]) -> str:
    """The lines as text with ANSI colours."""
    return "\n".join(_coloured(line) for line in lines)


def _coloured(line: MapLine) -> str:
    text = ""
    for owner, cells in groupby(line, lambda cell: cell.owner):
        run = "".join(cell.text for cell in cells)
        style = _style(owner)
        text += f"{style}{run}{_RESET}" if style else run
    return text.rstrip()


def _style(owner: int) -> str:
    if owner >= 0:
        return f"\x1b[38;5;{_BLACK};48;5;{_BACKGROUNDS[owner % len(_BACKGROUNDS)]}m"
    return {FREE: _DIM, BUDGET: _BOLD_RED}.get(owner, "")
