"""Verdicts in words: one module a format, none of which knows how a verdict came about.

A format is a module with, where it makes sense, `check(report)`, `pack(report)`, `matrix(report)`,
`diff(diff)`, `sweep(table, rows, tally)` and `pivot(table, rows, tally, by)`, each giving pieces of text.
"""

from __future__ import annotations

from collections.abc import Container
from importlib import import_module
from os.path import splitext
from types import ModuleType

FORMATS: dict[str, str] = {
    "text": "smemdsl.output.formats.text",
    "concise": "smemdsl.output.formats.concise",
    "json": "smemdsl.output.formats.json",
    "csv": "smemdsl.output.formats.csv",
    "markdown": "smemdsl.output.formats.markdown",
    "github": "smemdsl.output.formats.github",
    "junit": "smemdsl.output.formats.junit",
    "sarif": "smemdsl.output.formats.sarif",
}
"""Format name to the module that writes it, imported when it is asked for."""
TABLES = ("text", "json", "csv", "markdown")
"""Formats of what has no findings: `sweep`, `devices`."""
SELF_CONTAINED = frozenset({"concise", "github"})
"""Formats that are the findings: nothing of them is repeated on stderr."""
FOR_PEOPLE = frozenset({"text", "concise", "markdown"})
"""Formats that have no escapes of their own for what acts on a terminal."""
LINES = {"jsonl": "smemdsl.output.formats.jsonl"}
"""Formats of `sweep` that are nothing but its rows."""
FILES = {"parquet": "smemdsl.output.formats.parquet"}
"""Formats of `sweep` that are not text."""
_ENDINGS = {
    "csv": "csv",
    "json": "json",
    "jsonl": "jsonl",
    "md": "markdown",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "sarif": "sarif",
    "txt": "text",
    "xml": "junit",
}


def renderer(name: str) -> ModuleType:
    """The module of a format."""
    return import_module((FORMATS | LINES | FILES)[name])


def of_file(file: str, known: Container[str]) -> str | None:
    """The format that a file's ending says, if it is one of those known."""
    style = _ENDINGS.get(splitext(file)[1].lower().lstrip("."))
    return style if style in known else None
