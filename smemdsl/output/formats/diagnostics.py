"""Diagnostics as people read them: the place, the message, the line with a caret, a hint.

Nobody reads a message of a megabyte or the thousandth of a file: what is too long loses its middle, and of
one file only the first are shown, with the number of the others. `json` has everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import indented, one_line, same_width, visible
from smemdsl.core.truncate import shortened, without_middle

WIDTH = 100
"""Columns of a source line that are shown; a longer line is cut around the caret."""

MOST_OF_A_FILE = 50
"""Diagnostics of one file that are shown."""
LONGEST_PATH = 4096
"""Characters of a path, as long as an operating system takes one."""


def render_all(diagnostics: Iterable[Diagnostic], *, elsewhere: str = "") -> Iterator[str]:
    """Every diagnostic with its line end; of a file with very many the first, and how many more there are.

    `elsewhere` says where the others are to be seen.
    """
    seen: Counter[str] = Counter()
    left: dict[str, Counter[str]] = {}
    for diagnostic in diagnostics:
        seen[diagnostic.path] += 1
        if seen[diagnostic.path] <= MOST_OF_A_FILE:
            yield f"{render(diagnostic)}\n"
        else:
            left.setdefault(diagnostic.path, Counter())[diagnostic.code] += 1
    for path, codes in left.items():
        counts = ", ".join(f"{count} {code}" for code, count in codes.most_common())
        shown = one_line(without_middle(path, LONGEST_PATH))
        yield f"{shown}: and {codes.total()} more ({counts}){elsewhere and f'; {elsewhere}'}\n"


def render(diagnostic: Diagnostic) -> str:
    """`path:line:col: severity[code] message`, and below it the line, a caret, why, and the hint."""
    lines = [f"{headline(diagnostic)} {_said(diagnostic.message)}"]
    if diagnostic.line is not None and diagnostic.column is not None and diagnostic.source.strip():
        lines += _excerpt(diagnostic.source, diagnostic.column, diagnostic.length)
    if diagnostic.why:
        lines.append(f"  why: {_said(diagnostic.why)}")
    if diagnostic.hint:
        lines.append(f"  hint: {_said(diagnostic.hint)}")
    return "\n".join(lines)


def headline(diagnostic: Diagnostic) -> str:
    """`path:line:col: severity[code]`; without a line, `path: severity[code]`."""
    place = "" if diagnostic.line is None else f":{diagnostic.line}:{diagnostic.column}"
    path = one_line(without_middle(diagnostic.path, LONGEST_PATH))
    return f"{path}{place}: {diagnostic.severity}[{diagnostic.code}]"


def _said(text: str) -> str:
    """A message, of whatever length and lines."""
    return indented(visible(shortened(text)))


def _excerpt(source: str, column: int, length: int) -> list[str]:
    begin = max(0, min(column - 1 - WIDTH // 2, len(source) - WIDTH))
    shown = source[begin : begin + WIDTH]
    before = shown[: column - 1 - begin]
    marked = shown[len(before) : len(before) + length]
    pad = "".join("\t" if char == "\t" else " " * _columns(char) for char in before)
    carets = "^" * max(1, sum(map(_columns, marked)))
    return [f"  {same_width(shown)}".rstrip(), f"  {pad}{carets}"]


def display_width(text: str) -> int:
    """Terminal columns that a text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    """Terminal columns that a character takes."""
    if char.isascii():
        return 1
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
