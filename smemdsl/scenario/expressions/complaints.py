"""What to say about text that the language does not have."""

from __future__ import annotations

import re

_FLOAT = r"[0-9]*\.?[0-9]*(?:[eE][0-9]*)?"
_QUOTE = "no strings here: dtypes and parameters stand without quotes"
_BITS = "no bit operations here: + - * // % ** are there"

UNITS = frozenset({"B", "KB", "kB", "MB", "GB", "KiB", "MiB", "GiB"})
UNIT_HINT = "units stand only in a plain size like `100 KiB`; in an expression say 100 * 1024"

FOREIGN = {
    "/": "say // (rounds down) or ceildiv(a, b) (rounds up)",
    "=": "say == to compare",
    "!": "say `not`",
    "&&": "say `and`",
    "||": "say `or`",
    "<>": "say !=",
    "&": _BITS,
    "|": _BITS,
    "^": "say ** for a power; there are no bit operations",
    "~": _BITS,
    "<<": "say * 2**n; there are no bit operations",
    ">>": "say // 2**n; there are no bit operations",
    ".": "no floats and no attributes here",
    '"': _QUOTE,
    "'": _QUOTE,
    "`": _QUOTE,
    "[": "brackets are round",
    "]": "brackets are round",
    "{": "brackets are round",
    "}": "brackets are round",
    "?": "say `a if condition else b`",
    ":": "say `a if condition else b`",
    "$": "a parameter stands by its name alone",
    "#": "no comments here",
    ";": "one expression at a time",
    "@": "say *",
    "\u00d7": "say *",
    "\u00b7": "say *",
    "\u00f7": "say //",
    "\u2212": "say - (the ASCII minus)",
    "\u2013": "say - (the ASCII minus)",
    "\u2014": "say - (the ASCII minus)",
    "\u2264": "say <=",
    "\u2265": "say >=",
    "\u2260": "say !=",
    "\u00a0": "say an ordinary space",
    "\u3000": "say an ordinary space",
}
"""Operators and characters of other languages, with what to write instead."""


def foreign_message(text: str) -> str:
    """The message for an operator or a character that the language does not have."""
    if FOREIGN.get(text) == _QUOTE:
        return "quotes have no place in an expression"
    if text.isascii() and text.isprintable():
        return f"'{text}' has no place in an expression"
    drawn = f"'{text}' " if text.isprintable() and not text.isspace() else ""
    return f"character {drawn}(U+{ord(text):04X}) has no place in an expression"


def foreign_hint(text: str) -> str:
    """What to write instead of it, if anything."""
    if text in FOREIGN:
        return FOREIGN[text]
    if "\uff01" <= text <= "\uff5e":
        return f"say {chr(ord(text) - 0xFEE0)} (the ASCII character)"
    return "names are ASCII letters, digits and _" if text.isalpha() else ""


def number_complaint(text: str) -> tuple[str, str]:
    """Message and hint for what begins with a digit and is no number."""
    message = f"'{clipped(text)}' is no number"
    plain = text.replace("_", "")
    if ".." in text:
        return message, "a range stands only where `sweep` takes one"
    if plain.isdigit():
        return message, f"say {clipped(plain.lstrip('0') or '0')}"
    if re.fullmatch(_FLOAT, plain):
        return f"'{clipped(text)}' is no whole number", "no floats here"
    if text[:2] in {"0X", "0O", "0b", "0B"}:
        return message, "hexadecimal is 0x1f, octal 0o17; there is no binary"
    return message, UNIT_HINT if text.lstrip("0123456789") in UNITS else ""


def clipped(text: str) -> str:
    """The text, or the beginning of a long one, for a message."""
    return text if len(text) <= 40 else f"{text[:37]}..."
