"""TileLang itself: imported by name, since only the worker may load it, and asked for its version first."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from smemdsl.compilers.capture.failing import attempt, installed

KNOWN = ("0.1.15",)
"""Versions whose passes and messages this package reads."""


def version() -> str:
    """The installed version.

    Raises:
        CaptureError: none is installed, or one that is not known.
    """
    return installed("tilelang", "TileLang", KNOWN, digits=3)


@cache
def module(name: str) -> Any:
    """A module of TileLang or of the TVM that it brings.

    Raises:
        CaptureError: it does not load.
    """
    version()
    attempt("compiler-missing", "TileLang does not load", lambda: import_module("tilelang"))
    return attempt("compiler-missing", f"{name} does not load", lambda: import_module(name))
