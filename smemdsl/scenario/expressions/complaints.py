"""What to say about text that the language does not have."""

from __future__ import annotations

import re

_FLOAT = r"[0-9]*\.?[0-9]*(?:[eE][0-9]*)?"
_QUOTE = "strings are not supported: write dtypes and parameters without quotes"
_BITS = "bit operations are not supported; use + - * // % **"

UNITS = frozenset({"B", "KB", "kB", "MB", "GB", "KiB", "MiB", "GiB"})
UNIT_HINT = "units are allowed only in a plain size like `100 KiB`; in an expression write 100 * 1024"

FOREIGN = {
    "/": "write // (rounds down) or ceildiv(a, b) (rounds up)",
    "=": "write == to compare",
    "!": "say `not`",
    "&&": "say `and`",
    "||": "say `or`",
    "<>": "say !=",
    "&": _BITS,
    "|": _BITS,
    "^": "use ** for a power; bit operations are not supported",
    "~": _BITS,
    "<<": "use * 2**n; bit operations are not supported",
    ">>": "use // 2**n; bit operations are not supported",
    ".": "floats and attributes are not supported",
    '"': _QUOTE,
    "'": _QUOTE,
    "`": _QUOTE,
    "[": "use parentheses",
    "]": "use parentheses",
    "{": "use parentheses",
    "}": "use parentheses",
    "?": "write `a if condition else b`",
    ":": "write `a if condition else b`",
    "$": "write the parameter's name without $ or braces",
    "#": "comments are not supported",
    ";": "one expression at a time",
    "@": "say *",
    "\u00d7": "say *",
    "\u00b7": "say *",
    "\u00f7": "write //",
    "\u2212": "write - (the ASCII minus)",
    "\u2013": "write - (the ASCII minus)",
    "\u2014": "write - (the ASCII minus)",
    "\u2264": "say <=",
    "\u2265": "say >=",
    "\u2260": "say !=",
    "\u00a0": "write an ordinary space",
    "\u3000": "write an ordinary space",
}
"""Operators and characters of other languages, with what to write instead."""


def foreign_message(text: str) -> str:
    """The message for an operator or a character that the language does not have."""
    if FOREIGN.get(text) == _QUOTE:
        return "quotes are not allowed in an expression"
    if text.isascii() and text.isprintable():
        return f"'{text}' is not allowed in an expression"
    drawn = f"'{text}' " if text.isprintable() and not text.isspace() else ""
    return f"character {drawn}(U+{ord(text):04X}) is not allowed in an expression"


def foreign_hint(text: str) -> str:
    """What to write instead of it, if anything."""
    if text in FOREIGN:
        return FOREIGN[text]
    if "\uff01" <= text <= "\uff5e":
        return f"write {chr(ord(text) - 0xFEE0)} (the ASCII character)"
    return "names are ASCII letters, digits and _" if text.isalpha() else ""


def number_complaint(text: str) -> tuple[str, str]:
    """Message and hint for what begins with a digit and is not a number."""
    message = f"'{clipped(text)}' is not a number"
    plain = text.replace("_", "")
    if ".." in text:
        return message, "ranges are allowed only in `sweep`"
    if plain.isdigit():
        return message, f"write {clipped(plain.lstrip('0') or '0')}"
    if re.fullmatch(_FLOAT, plain):
        return f"'{clipped(text)}' is not a whole number", "floats are not supported"
    if text[:2] in {"0X", "0O", "0b", "0B"}:
        return message, "write hexadecimal as 0x1f, octal as 0o17; binary is not supported"
    return message, UNIT_HINT if text.lstrip("0123456789") in UNITS else ""


def clipped(text: str) -> str:
    """The text, or the beginning of a long one, for a message."""
    return text if len(text) <= 40 else f"{text[:37]}..."
