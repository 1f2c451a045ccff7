"""The words of the language: what a name looks like, and which names are taken."""

from __future__ import annotations

import re

from smemdsl.core.dtypes import lookup
from smemdsl.scenario.expressions.functions import FUNCTIONS

KEYWORDS = frozenset({"and", "or", "not", "if", "else"})
CONSTANTS = {"true": True, "True": True, "false": False, "False": False}
"""Both YAML's and Python's spelling."""

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"


def is_name(text: str) -> bool:
    """Whether the text is an identifier: an ASCII letter or `_`, then letters, digits or `_`."""
    return re.fullmatch(_NAME, text) is not None


def reserved_as(name: str) -> str:
    """What a name is in every expression ("a dtype", "a function", ...); empty if a parameter may have it."""
    if name in KEYWORDS:
        return "a keyword"
    if name in CONSTANTS:
        return "a constant"
    if name in FUNCTIONS:
        return "a function"
    return "a dtype" if lookup(name) is not None else ""


def is_reserved(name: str) -> bool:
    """Whether a parameter may not be called so, because it means something else in every expression."""
    return bool(reserved_as(name))
