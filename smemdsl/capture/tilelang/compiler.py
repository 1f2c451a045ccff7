"""TileLang itself: imported by name, since only the worker may load it, and asked for its version first."""

from __future__ import annotations

from functools import cache
from importlib import import_module, metadata
from typing import Any

from smemdsl.capture.failing import CaptureError, attempt

KNOWN = ("0.1.15",)
"""Versions whose passes and messages this package reads."""


def version() -> str:
    """The installed version.

    Raises:
        CaptureError: none is installed, or one that is not known.
    """
    try:
        found = metadata.version("tilelang")
    except metadata.PackageNotFoundError:
        message = "TileLang is not installed in this Python"
        raise CaptureError("compiler-missing", message, "pip install 'smemdsl[tilelang]'") from None
    if found.split("+")[0] not in KNOWN:
        known = ", ".join(KNOWN)
        message = f"TileLang {found} is installed; its output is not known here, that of {known} is"
        raise CaptureError("compiler-version", message, "pip install 'smemdsl[tilelang]'")
    return found


@cache
def module(name: str) -> Any:
    """A module of TileLang or of the TVM that it brings.

    Raises:
        CaptureError: it does not load.
    """
    version()
    attempt("compiler-missing", "TileLang does not load", lambda: import_module("tilelang"))
    return attempt("compiler-missing", f"{name} does not load", lambda: import_module(name))
