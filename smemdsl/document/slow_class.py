"""Keeps PyYAML's import from compiling a regular expression that libyaml has no use for.

`yaml.reader` holds the class of all characters that YAML forbids. It spans the whole of Unicode, which takes
`re` longer than the rest of the package takes to import, and only PyYAML's own reader ever looks for one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LAST = "\U0010ffff]"
"""How a class ends that reaches the last character there is."""


class Later:
    """A regular expression that is compiled once something is asked of it."""

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(*self._arguments), name)  # `re` keeps what it compiled


@contextmanager
def put_off() -> Iterator[None]:
    """While inside, a class that reaches the last character becomes a `Later`; everything else is as it was.

    Does nothing where PyYAML is imported already.
    """
    if "yaml" in sys.modules:
        yield
        return
    names = vars(re)
    compile_at_once = names["compile"]

    def compile_(pattern: Any, flags: Any = 0) -> Any:
        if type(pattern) is str and pattern.endswith(_LAST):
            return Later(pattern, flags)
        return compile_at_once(pattern, flags)

    names["compile"] = compile_
    try:
        yield
    finally:
        names["compile"] = compile_at_once
