"""Diagnostics as people read them: the place, the message, the line with a caret, a hint."""

from __future__ import annotations

import unicodedata

from smemdsl.errors import Diagnostic

WIDTH = 100
"""Columns of a source line that are shown; a longer line is cut around the caret."""


def render(diagnostic: Diagnostic) -> str:
    """`path:line:col: severity[code] message`, and below it the line, a caret, why, and the hint."""
    lines = [f"{headline(diagnostic)} {diagnostic.message}"]
    if diagnostic.line is not None and diagnostic.column is not None and diagnostic.source.strip():
        lines += _excerpt(diagnostic.source, diagnostic.column, diagnostic.length)
    if diagnostic.why:
        lines.append(f"  why: {diagnostic.why}")
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    return "\n".join(lines)


def headline(diagnostic: Diagnostic) -> str:
    """`path:line:col: severity[code]`; without a line, `path: severity[code]`."""
    place = "" if diagnostic.line is None else f":{diagnostic.line}:{diagnostic.column}"
    return f"{diagnostic.path}{place}: {diagnostic.severity}[{diagnostic.code}]"


def _excerpt(source: str, column: int, length: int) -> list[str]:
    begin = max(0, min(column - 1 - WIDTH // 2, len(source) - WIDTH))
    shown = source[begin : begin + WIDTH]
    before = shown[: column - 1 - begin]
    marked = shown[len(before) : len(before) + length]
    pad = "".join("\t" if char == "\t" else " " * _columns(char) for char in before)
    carets = "^" * max(1, sum(map(_columns, marked)))
    return [f"  {_visible(shown)}".rstrip(), f"  {pad}{carets}"]


def display_width(text: str) -> int:
    """Terminal columns that a text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    """Terminal columns that a character takes."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _visible(text: str) -> str:
    return "".join(
        char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text
    )
