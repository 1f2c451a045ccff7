"""Verdicts in words: one module a format, none of which knows how a verdict came about.

A format is a module with `check(report)`, `pack(report)`, `sweep(table, rows, tally)` and, where it makes
sense, `matrix(report)` and `pivot(table, rows, tally, by)`, each giving pieces of text.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

FORMATS: dict[str, str] = {
    "text": "smemdsl.render.text",
    "json": "smemdsl.render.json",
    "csv": "smemdsl.render.csv",
    "markdown": "smemdsl.render.markdown",
}
"""Format name to the module that writes it, imported when it is asked for."""


def renderer(name: str) -> ModuleType:
    """The module of a format."""
    return import_module(FORMATS[name])
