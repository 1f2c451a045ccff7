"""Lines of a terminal as SVG: text in columns, whatever the font, in the colours of a terminal."""

from __future__ import annotations

from html import escape

from docs.tools.terminal import Piece, Style

CELL, LEADING, SIZE, MARGIN = 8.0, 15, 13, 16
"""Pixels: a character's width, a line's height, the size of the letters, and the frame."""
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
INK, PAPER = "#d8dee9", "#10151c"
_DIM = "#8592a3"
_BASELINE = 12
_BASE = ("#4c566a", "#ff7b72", "#6fd08c", "#e8c15a", "#7aa8ff", "#c792ea", "#6cc7d9", "#d8dee9")
_LEVELS = (0, 95, 135, 175, 215, 255)


def left(column: int) -> float:
    """Where a column begins."""
    return MARGIN + column * CELL


def top(row: int) -> int:
    """Where a line begins."""
    return MARGIN + row * LEADING


def rectangle(column: int, row: int, columns: int, fill: str, more: str = "", height: int = LEADING) -> str:
    """A rectangle behind or over a line."""
    return (
        f'<rect x="{left(column):g}" y="{top(row)}" width="{columns * CELL:g}" height="{height}" '
        f'fill="{fill}"{more}/>'
    )


def text(row: int, piece: Piece) -> str:
    """A piece of a line, stretched to its columns; nothing but its background where it is blank."""
    style = piece.style
    paper = ""
    if style.paper is not None:
        crisp = ' shape-rendering="crispEdges"'
        paper = rectangle(piece.column, row, len(piece.text), colour(style.paper), crisp)
    if not piece.text.strip():
        return paper
    return (
        f'{paper}<text x="{left(piece.column):g}" y="{top(row) + _BASELINE}" '
        f'textLength="{len(piece.text) * CELL:g}" lengthAdjust="spacingAndGlyphs"{_looks(style)}>'
        f"{escape(piece.text, quote=False)}</text>"
    )


def _looks(style: Style) -> str:
    ink = _DIM if style.dim else None if style.ink is None else colour(style.ink)
    return (f' fill="{ink}"' if ink else "") + (' font-weight="bold"' if style.bold else "")


def colour(number: int) -> str:
    """A colour of a terminal with 256: eight names and their bright forms, a cube of 6, and greys."""
    if number < 16:
        return _BASE[number % 8]
    if number < 232:
        red, green, blue = (_LEVELS[(number - 16) // step % 6] for step in (36, 6, 1))
        return f"#{red:02x}{green:02x}{blue:02x}"
    grey = 8 + 10 * (number - 232)
    return f"#{grey:02x}{grey:02x}{grey:02x}"
