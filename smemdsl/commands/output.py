"""The end of a command: the answer on stdout, the rest on stderr, the exit code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

import click

from smemdsl.errors import Diagnostic
from smemdsl.render import renderer
from smemdsl.render.diagnostics import render
from smemdsl.results import Report, exit_code


def finish(report: Report, style: str, *, matrix: bool = False) -> NoReturn:
    """Print a report and leave with its exit code."""
    complain(report.diagnostics)
    for note in report.notes:
        click.echo(f"note: {note}", err=True)
    module = renderer(style)
    write = module.pack if report.command == "pack" else module.check
    pieces: Iterable[str] = module.matrix(report) if matrix else write(report)
    for piece in pieces:
        click.echo(piece, nl=False)
    raise SystemExit(exit_code(report))


def complain(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics on stderr."""
    for diagnostic in diagnostics:
        click.echo(render(diagnostic), err=True)
