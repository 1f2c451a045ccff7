"""Texts of others, fit to be shown: the one place that decides what acts, and how it looks instead.

File names, names in scenarios and stored results, words of a compiler: whoever wrote them may have put
control sequences of a terminal into them, line breaks, marks that turn the direction of what follows, or a
workflow command of GitHub Actions, which reads the log of a job. What is shown has none of that: such
characters appear as Python would escape them (`\\x1b`, `\\n`, `\\u202e`), and a command with a sign of it
escaped.

The commands: docs.github.com, "Workflow commands for GitHub Actions" (`::name::`, where a line begins with
it), and actions/runner, ActionCommand.cs (the older `##[name]`, anywhere in a line).
"""

from __future__ import annotations

import re
from functools import lru_cache

_STAYS = "\n\t"
_OLD_COMMAND = "##["
_NEW_COMMAND = "::"


def visible(text: str) -> str:
    """The text with every character escaped that is not seen, or that acts; line breaks and tabs stay.

    So half a surrogate pair, which no file can hold, can be written, too.
    """
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char in _STAYS else _escaped(char) for char in text)


def one_line(text: str) -> str:
    """A name or a sentence: as `visible`, with line breaks and tabs escaped, too, and no command in it."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escaped(char) for char in text)
    return without_commands(text)


def lines(text: str) -> str:
    """A text of several lines, none of which a terminal or GitHub takes for a command."""
    return without_commands(visible(text))


def same_width(text: str) -> str:
    """A line of a file, each character that acts replaced by one sign: a caret below it stays right."""
    shown = "".join(char if char.isprintable() or char == "\t" else _REPLACED for char in text)
    if _NEW_COMMAND not in shown and _OLD_COMMAND not in shown:
        return shown
    return _commands().sub(lambda found: found[0][:-1] + _REPLACED, shown)


def indented(text: str) -> str:
    """A message, its further lines set in: none of them can be taken for another message."""
    return text.replace("\n", "\n    ")


def json_text(text: str) -> str:
    """JSON, and YAML that quotes as JSON does, of the same value: what acts is escaped as JSON has it."""
    if text.isascii() and "\x7f" not in text and _OLD_COMMAND not in text:
        return text
    text = text.replace(_OLD_COMMAND, "##\\u005b")
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _in_json(char) for char in text)


def without_commands(text: str) -> str:
    """The text, the first sign of every workflow command escaped."""
    if _NEW_COMMAND not in text and _OLD_COMMAND not in text:
        return text
    return _commands().sub(lambda found: f"{found[0][:-1]}\\x{ord(found[0][-1]):02x}", text)


_REPLACED = "\N{REPLACEMENT CHARACTER}"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _in_json(char: str) -> str:
    """Code units of UTF-16, as JSON escapes them."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


@lru_cache(maxsize=1)
def _commands() -> re.Pattern[str]:
    """The begin of a command up to the sign that is escaped."""
    return re.compile(r"^\s*:(?=:)|##(?=\[)", re.MULTILINE)
