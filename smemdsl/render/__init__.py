"""Verdicts in words: one module a format, none of which knows how a verdict came about.

A format is a module with, where it makes sense, `check(report)`, `pack(report)`, `matrix(report)`,
`diff(diff)`, `sweep(table, rows, tally)` and `pivot(table, rows, tally, by)`, each giving pieces of text.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

FORMATS: dict[str, str] = {
    "text": "smemdsl.render.text",
    "concise": "smemdsl.render.concise",
    "json": "smemdsl.render.json",
    "csv": "smemdsl.render.csv",
    "markdown": "smemdsl.render.markdown",
    "github": "smemdsl.render.github",
    "junit": "smemdsl.render.junit",
    "sarif": "smemdsl.render.sarif",
}
"""Format name to the module that writes it, imported when it is asked for."""
TABLES = ("text", "json", "csv", "markdown")
"""Formats of what has no findings: `sweep`, `devices`."""
POINTING = frozenset({"concise", "github", "junit", "sarif"})
"""Formats that point at lines, also for what is over budget."""
SELF_CONTAINED = frozenset({"concise", "github"})
"""Formats that are the findings: nothing of them is repeated on stderr."""
FILES = {"parquet": "smemdsl.render.parquet"}
"""Formats of `sweep` that are no text."""


def renderer(name: str) -> ModuleType:
    """The module of a format."""
    return import_module(FORMATS.get(name) or FILES[name])
