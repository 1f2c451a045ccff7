"""Where and why a text is not YAML, in words."""

from __future__ import annotations

import re

from smemdsl.document.nodes import ReaderError
from smemdsl.document.places import Position, lines_of, position_at
from smemdsl.errors import Fault

_FORBIDDEN = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML does not allow in a text."""
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
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    place = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
    if "another document" in problem:
        return place, Fault((), "yaml-documents", "a second document begins here; a file holds one scenario")
    if "levels of nesting" in problem:
        return place, Fault((), "yaml-nesting", problem)
    if "cannot start any token" in problem:
        return place, _bad_start(text, place)
    begin = getattr(error, "context_mark", None)
    if begin and not any(line.strip() for line in _rest(text, place)):
        place = Position(begin.line + 1, begin.column + 1)
        return place, Fault((), "yaml-syntax", f"what begins here never ends: {problem}, {context}")
    message = ", ".join(word for word in (problem, context) if word) or "not YAML"
    hint = next((hint for words, hint in _HINTS.items() if words in problem), "")
    return place, Fault((), "yaml-syntax", message, hint)


def _rest(text: str, place: Position) -> list[str]:
    """What stands from a position on."""
    first, *others = lines_of(text)[place.line - 1 :] or [""]
    return [first[place.column - 1 :], *others]


def _bad_start(text: str, place: Position) -> Fault:
    """A character that no value can begin with: a tab where the indentation is, or an indicator."""
    char = _rest(text, place)[0][:1]
    if char == "\t":
        return Fault((), "yaml-tab", "a tab cannot indent a line", "indent with spaces")
    return Fault((), "yaml-syntax", f"no value can begin with {char}", "quote it")
