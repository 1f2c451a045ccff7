"""The end of a command: the answer on stdout, the rest on stderr, files beside them, the exit code."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NoReturn, TextIO

import click

from smemdsl.cli.atomic_write import write_whole
from smemdsl.core import exit_codes
from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.judging.result import Report, exit_code
from smemdsl.output.formats import FOR_PEOPLE, SELF_CONTAINED, renderer
from smemdsl.output.formats.color import highlight, safe, wanted
from smemdsl.output.formats.diagnostics import render_all
from smemdsl.source.discovery import printable, problem

SUMMARY = "GITHUB_STEP_SUMMARY"
"""Names the file that GitHub shows below a job; other steps may have written to it."""
_COLOURED = ("text", "concise")
_FEW_SCENARIOS = 8
"""Scenarios of a run whose warnings are shown in full."""
_MOST_CODES = 3
"""Codes that are named in one line."""


def finish(
    report: Report, style: str, outputs: Sequence[tuple[str, str]] = (), *, view: str = ""
) -> NoReturn:
    """Print a report, write what else is wanted, and leave with the exit code.

    `view` names another way to look at it than the command's: `matrix`, `comparison`.
    """
    if style not in SELF_CONTAINED:
        tell(report)
    deliver(report, view or report.command, style, outputs)
    raise SystemExit(exit_code(report))


def tell(report: Report) -> None:
    """Print on stderr what was found beside the answer."""
    complain(_brief(report), elsewhere="--format concise lists all")
    for note in report.notes:
        say(f"note: {note}\n", sys.stderr)
    point_to_pages(d for d in report.diagnostics if d.severity == "error" or report.summary.scenarios == 1)


def _brief(report: Report) -> list[Diagnostic]:
    """The diagnostics; of many scenarios the warnings as one line, which says how to see them."""
    warnings = [diagnostic for diagnostic in report.diagnostics if diagnostic.severity == "warning"]
    if report.summary.scenarios <= _FEW_SCENARIOS or not warnings or report.failed:
        return list(report.diagnostics)
    counts = ", ".join(f"{count} {code}" for code, count in Counter(w.code for w in warnings).most_common())
    say(f"note: {len(warnings)} warnings ({counts}); --format concise lists them\n", sys.stderr)
    return [diagnostic for diagnostic in report.diagnostics if diagnostic.severity != "warning"]


def deliver(answer: object, command: str, style: str, outputs: Sequence[tuple[str, str]] = ()) -> None:
    """The answer to a command on stdout and in files.

    Under GitHub Actions, `auto` also annotates on stderr, which the runner reads as well as stdout, and adds
    to the step's summary. A file that cannot be written ends the run with exit code 2.
    """
    shown = "text" if style == "auto" else style
    for piece in _pieces(answer, command, shown):
        _emit(piece, sys.stdout, coloured=shown in _COLOURED)
    if style == "auto" and on_github():
        for piece in _pieces(answer, command, "github"):
            _emit(piece, sys.stderr, coloured=False)
        if os.environ.get(SUMMARY):
            outputs = (*outputs, ("markdown", os.environ[SUMMARY]))
    failed = [found for found in (_write(answer, command, *output) for output in outputs) if found]
    if failed:
        complain(failed)
        raise SystemExit(exit_codes.INVALID)


def on_github() -> bool:
    """Whether GitHub Actions runs this."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _pieces(answer: object, command: str, style: str) -> Iterable[str]:
    """The answer in a format; where it has not this view, the rows that the view is made of."""
    module = renderer(style)
    write = getattr(module, command, None) or module.check
    pieces: Iterable[str] = write(answer)
    return map(safe, pieces) if style in FOR_PEOPLE else pieces


def _write(answer: object, command: str, style: str, file: str) -> Diagnostic | None:
    """Write the answer to a file, to GitHub's summary after what is there; what is wrong, if anything."""
    text = "".join(_pieces(answer, command, style))
    try:
        if file != os.environ.get(SUMMARY):
            write_whole(file, text.encode("utf-8"))
            return None
        with open(file, "a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except ScenarioError as error:
        return error.diagnostics[0]
    except OSError as error:
        return problem(printable(file), "unwritable", f"cannot be written: {error.strerror}")
    return None


def complain(diagnostics: Iterable[Diagnostic], *, elsewhere: str = "") -> None:
    """Print diagnostics on stderr; `elsewhere` says where those are to be seen that are too many to print."""
    for text in render_all(diagnostics, elsewhere=elsewhere):
        say(text, sys.stderr)


def point_to_pages(diagnostics: Iterable[Diagnostic]) -> None:
    """Name the command that explains the codes."""
    codes = list(dict.fromkeys(diagnostic.code for diagnostic in diagnostics))
    if codes:
        more = " ..." if len(codes) > _MOST_CODES else ""
        say(f"note: `smemdsl explain {' '.join(codes[:_MOST_CODES])}{more}` says more\n", sys.stderr)


def say(text: str, stream: TextIO | None, *, coloured: bool = True) -> None:
    """Print a text, in colour where that is wanted; nothing where the stream is closed.

    Whatever it holds, no terminal and no log of a job takes part of it for a command.
    """
    _emit(safe(text), stream, coloured=coloured)


def _emit(text: str, stream: TextIO | None, *, coloured: bool) -> None:
    """Print a text that is safe, or whose format takes care of that."""
    if stream is None:
        return
    context = click.get_current_context(silent=True)
    if coloured and wanted(context.color if context else None, stream):
        click.echo(highlight(text), stream, nl=False, color=True)
    else:
        click.echo(text, stream, nl=False)
