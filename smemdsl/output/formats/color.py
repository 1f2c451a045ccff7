"""Colours on a text that is already written: severities, verdicts, carets, growth.

Plain text goes in; a `StyledText` one brings colours of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TextIO

from smemdsl.core.shown import lines, without_commands

_RESET = "\x1b[0m"
_RED, _GREEN, _YELLOW, _CYAN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"
_BOLD_RED, _BOLD_YELLOW, _BOLD_CYAN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m"
_STYLES = {
    "error": _BOLD_RED,
    "warning": _BOLD_YELLOW,
    "note": _BOLD_CYAN,
    "expected": _YELLOW,
    "bad": _RED,
    "good": _GREEN,
    "caret": _RED,
    "word": _CYAN,
    "alarm": _RED,
    "up": _RED,
    "down": _GREEN,
}
_PATTERN = r"""(?P<error>(?<=:\ )error\[[\w-]+\])
      | (?P<warning>(?<=:\ )warning\[[\w-]+\])
      | (?P<note>^note:)
      | (?P<expected>\bOVER\ \(expected\))
      | (?P<bad>(?<=[ ])(?:OVER|FAIL|INVALID)(?=[,;)]|\ \ |\ ->|$))
      | (?P<good>(?<=[ ])OK(?=[,;)]|\ \ |\ ->|$))
      | (?P<caret>^\s+\^+$)
      | (?P<word>^\ \ (?:why|hint):)
      | (?P<alarm>^\ \ (?:newly\ over|expectation\ broke|grew\ too\ much):)
      | (?P<up>\(\+\d[^)]*\))
      | (?P<down>\(-\d[^)]*\))"""


class StyledText(str):
    """A text that knows how it looks in colours."""

    __slots__ = ("colours",)
    colours: str

    def __new__(cls, text: str, colours: str | None = None) -> StyledText:
        """The text, and the same with ANSI colours where it has any."""
        self = super().__new__(cls, text)
        self.colours = text if colours is None else colours
        return self


def safe(text: str) -> str:
    """The text as `core.shown.lines` has it; what is coloured already was made of safe cells."""
    if not isinstance(text, StyledText):
        return lines(text)
    return StyledText(without_commands(text), without_commands(text.colours))


def good(text: str) -> str:
    """The text in the colour of what fits."""
    return f"{_STYLES['good']}{text}{_RESET}"


def bad(text: str) -> str:
    """The text in the colour of what does not fit."""
    return f"{_STYLES['bad']}{text}{_RESET}"


def highlight(text: str) -> str:
    """The text with ANSI colours on what matters."""
    if isinstance(text, StyledText):
        return text.colours
    return _pattern().sub(lambda match: f"{_STYLES[str(match.lastgroup)]}{match[0]}{_RESET}", text)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """Compiled when the first colour is wanted: it takes longer than importing all of this."""
    return re.compile(_PATTERN, re.VERBOSE | re.MULTILINE)


def wanted(choice: bool | None, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour: as `--color` says, else NO_COLOR, else FORCE_COLOR, else where a person reads.

    A variable counts if it is set and not empty (no-color.org, force-color.org).
    """
    if choice is not None:
        return choice
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"
