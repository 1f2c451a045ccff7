"""Keeps PyYAML's import from compiling regular expressions that libyaml has no use for.

They belong to PyYAML's own reader and to its reading of scalars, and one spans the whole of Unicode: together
they take longer than the rest of the package takes to import.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class LazyRegex:
    """A regular expression that is compiled once something is asked of it."""

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(*self._arguments), name)  # `re` keeps what it compiled

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return re.compile, self._arguments


_PROCESS = {"ours": False}


def allow() -> None:
    """Enable `deferred_regexes`: this process is the command line, and nothing else in it uses PyYAML."""
    _PROCESS["ours"] = True


@contextmanager
def deferred_regexes() -> Iterator[None]:
    """While inside, what PyYAML's modules compile becomes a `LazyRegex`; what others compile is as it was.

    Does nothing where PyYAML is imported already, nor in the process of another program.
    """
    if not _PROCESS["ours"] or "yaml" in sys.modules:
        yield
        return
    names = vars(re)
    compile_at_once = names["compile"]

    def compile_(pattern: Any, flags: Any = 0) -> Any:
        module = sys._getframe(1).f_globals.get("__name__", "")
        return (LazyRegex if module.startswith("yaml.") else compile_at_once)(pattern, flags)

    names["compile"] = compile_
    try:
        yield
    finally:
        names["compile"] = compile_at_once
