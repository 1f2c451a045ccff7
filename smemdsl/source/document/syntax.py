"""Where and why a text is not YAML, in words."""

from __future__ import annotations

import re
from typing import Any

from smemdsl.core.errors import Fault
from smemdsl.source.document.nodes import MAX_DEPTH, ReaderError
from smemdsl.source.document.places import Position, lines_of, position_at

_FORBIDDEN = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML does not allow in a text."""
_TAB = Fault((), "yaml-tab", "tab used for indentation", "indent with spaces")
_HINTS = {
    "mapping values are not allowed": "quote a text that holds ': '; otherwise look at the indentation",
    "could not find expected ':'": "a key ends with ':'",
    "did not find expected key": "the indentation is off, or a quote is missing",
    "found undefined alias": "quote a text that begins with '*'",
}


def syntax_fault(text: str, error: Exception) -> tuple[Position, Fault]:
    """Where a text stops being YAML, and why, from what PyYAML raised."""
    if isinstance(error, (ReaderError, UnicodeEncodeError)) and (match := _FORBIDDEN.search(text)):
        message = f"the character U+{ord(match[0]):04X} is not allowed"
        return position_at(text, match.start()), Fault((), "yaml-character", message)
    problem, context = (getattr(error, name, None) or "" for name in ("problem", "context"))
    begin, mark = (_place(getattr(error, name, None)) for name in ("context_mark", "problem_mark"))
    place = mark or begin or Position(1, 1)
    if known := _known(problem, text, place):
        return place, known
    message = ", ".join(word for word in (problem, context) if word) or "not YAML"
    if not _rest(text, place).strip():
        return _unfinished(text, begin, message)
    if begin and begin.line != place.line:
        message += f" that begins on line {begin.line}"
    hint = next((hint for words, hint in _HINTS.items() if words in problem), "")
    return place, Fault((), "yaml-syntax", message, hint)


def _place(mark: Any) -> Position | None:
    return Position(mark.line + 1, mark.column + 1) if mark else None


def _known(problem: str, text: str, place: Position) -> Fault | None:
    """What has words of its own."""
    if "another document" in problem:
        return Fault((), "yaml-documents", "second YAML document; a file holds one scenario")
    if "nesting" in problem:
        return Fault((), "yaml-nesting", f"more than {MAX_DEPTH} levels of nesting")
    if "tab character" in problem:
        return _TAB
    return _bad_start(_rest(text, place)[:1]) if "cannot start any token" in problem else None


def _unfinished(text: str, begin: Position | None, message: str) -> tuple[Position, Fault]:
    """The text ends before something does: that is at fault, or else the last character."""
    if begin and _rest(text, begin).strip():
        return begin, Fault((), "yaml-syntax", f"unterminated: {message}")
    last = position_at(text, max(len(text.rstrip()) - 1, 0))
    return last, Fault((), "yaml-syntax", f"unexpected end of file: {message}")


def _rest(text: str, place: Position) -> str:
    """What stands from a position on."""
    first, *others = lines_of(text)[place.line - 1 :] or [""]
    return "\n".join([first[place.column - 1 :], *others])


def _bad_start(char: str) -> Fault:
    """A character that no value can begin with: a tab where the indentation is, or an indicator."""
    return _TAB if char == "\t" else Fault((), "yaml-syntax", f"a value cannot start with {char}", "quote it")
