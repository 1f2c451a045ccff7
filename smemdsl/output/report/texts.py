"""Texts of others, as a page shows them."""

from __future__ import annotations


def visible(text: str) -> str:
    """The text with every character escaped that is not seen, or that turns the text around it.

    So `\\u202e` shows as such, and half a surrogate pair, which no file can hold, can be written. Line breaks
    and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
