"""What a terminal shows of a command: it runs under a pseudo-terminal, and its colours are read."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path
from typing import NamedTuple

_ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")
_CHUNK = 65536


class Style(NamedTuple):
    """How a piece of text looks; colours are those of a terminal with 256, None is its own."""

    ink: int | None = None
    paper: int | None = None
    bold: bool = False
    dim: bool = False


class Piece(NamedTuple):
    """Text of one look on a line."""

    column: int
    text: str
    style: Style


Line = list[Piece]


def shown(command: str, columns: int, rows: int, here: Path, environment: dict[str, str]) -> str:
    """All that a command writes to a terminal of this size."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        ["sh", "-c", command],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        cwd=here,
        env={**environment, "TERM": "xterm-256color"},
    )
    os.close(inner)
    with open(outer, "rb", buffering=0) as stream:
        written = b"".join(iter(lambda: _read(stream.fileno()), b""))
    process.wait()
    return written.decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    """What has come; nothing when the other side is closed, which Linux reports as an error."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


def lines(text: str) -> list[Line]:
    """The lines of a text with colours, each cut where the look changes.

    Raises:
        ValueError: The text moves the cursor, which a transcript cannot show.
    """
    style = Style()
    found = []
    for line in text.rstrip("\n").split("\n"):
        pieces, column = [], 0
        for index, part in enumerate(_ESCAPE.split(line)):
            if index % 2:
                style = _changed(style, part)
            elif part:
                pieces.append(Piece(column, part, style))
                column += len(part)
        found.append(pieces)
    if "\x1b" in "".join(piece.text for line in found for piece in line) or "\r" in text:
        raise ValueError("the command moves the cursor")
    return found


def _changed(style: Style, codes: str) -> Style:
    """The style after an escape sequence, such as 1;31 or 38;5;16;48;5;110."""
    rest = [int(code or 0) for code in codes.split(";")]
    while rest:
        code = rest.pop(0)
        if code in (38, 48):
            _, colour = rest.pop(0), rest.pop(0)
            style = style._replace(ink=colour) if code == 38 else style._replace(paper=colour)
        else:
            style = _simple(style, code)
    return style


def _simple(style: Style, code: int) -> Style:
    if code == 0:
        return Style()
    if code in (1, 2):
        return style._replace(bold=True) if code == 1 else style._replace(dim=True)
    if 30 <= code <= 37 or 90 <= code <= 97:
        return style._replace(ink=code - 30 if code < 90 else code - 82)
    raise ValueError(f"a look that is not known: {code}")
