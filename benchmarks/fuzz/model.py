"""What the parts of the fuzzer hand to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

Tree = Any
"""A scenario as YAML reads it: mappings, lists, scalars."""


class Case(NamedTuple):
    """One input: a text for standard input, and the command line that reads it."""

    kind: str
    text: str
    args: tuple[str, ...] = ()
    tree: Tree = None
    """What the text was written from, where it was; a shrinker takes parts off it."""


class BrokenError(Exception):
    """An invariant that does not hold; the message says which and how."""


class Hung(BaseException):
    """The watchdog's: one input took longer than it may. No handler of errors catches it."""
