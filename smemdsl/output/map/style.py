"""The characters of a map, and how much of a text fits into so many columns."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.output.formats.diagnostics import display_width


class Style(NamedTuple):
    """The characters of a map."""

    walls: str
    """By the arms that meet: 1 up, 2 down, 4 right, 8 left."""
    free: str
    budget: str
    peak: str
    gap: str
    """Stands on the axis for slots, and beside it for addresses, that take less room than they should."""
    bracket: str
    """Beginning, middle and end of what is shared, and the end of one that is the beginning of the next."""
    cut: str
    """Stands for the rest of a text."""


UNICODE = Style(" │││─└┌├─┘┐┤─┴┬┼", "░", "═", "▼", "┊", "┐│┘┤", "…")
ASCII = Style(" |||-+++-+++-+++", ".", "=", "v", ":", "+|++", "~")


def shortened(text: str, width: int, style: Style) -> str:
    """The text, or as much of its beginning as fits with a mark that there is more; empty where none does."""
    if style is ASCII:
        text = text.encode("ascii", "replace").decode()
    if display_width(text) <= width:
        return text
    kept = len(text)
    while kept and display_width(text[:kept] + style.cut) > width:
        kept -= 1
    return text[:kept] + style.cut if kept else text[: max(0, width)] if text.isascii() else ""
