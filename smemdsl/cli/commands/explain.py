"""`smemdsl explain`: what an error, a warning or a compiler's rule means."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from smemdsl.cli import shell_completion
from smemdsl.cli.options import color_option
from smemdsl.cli.output import complain, say
from smemdsl.core import exit_codes
from smemdsl.core.errors import Diagnostic, UnknownNameError
from smemdsl.rules.catalogue import CodePage, names, page
from smemdsl.source.discovery import printable, problem


@click.command(short_help="What an error, a warning or a compiler's rule means.")
@click.argument("wanted", nargs=-1, metavar="[CODE]...", shell_complete=shell_completion.codes)
@color_option
def explain(wanted: tuple[str, ...]) -> None:
    """Explain an error, a warning, or a compiler's rule.

    CODE is what stands in brackets, as in `error[expect-arena]`: what it means, why, an example that fails,
    and the fix. Or it is a rule that `pack --explain` prints: what the compiler does, in which pass and
    source file, and the evidence. Without one, all are listed.

    \b
    Examples:
      smemdsl explain expect-arena
      smemdsl explain inject-pipeline/versions
      smemdsl explain
    """
    asked = [
        name.strip().removeprefix("error[").removeprefix("warning[").removesuffix("]") for name in wanted
    ]
    pages, problems = _pages(asked)
    for i, found in enumerate(pages):
        say(("\n" if i else "") + f"# {found.code}\n\n{found.text}\n", sys.stdout)
    complain(problems)
    if problems:
        raise SystemExit(exit_codes.INVALID)
    if not pages:
        width = max(map(len, names()))
        for code in names():
            say(f"{code:{width}}  {page(code).summary}\n", sys.stdout)


def _pages(asked: Iterable[str]) -> tuple[list[CodePage], list[Diagnostic]]:
    """The pages of the codes that there are, and what is to be said of the others."""
    pages: list[CodePage] = []
    problems: list[Diagnostic] = []
    for name in dict.fromkeys(asked):
        try:
            pages.append(page(name))
        except UnknownNameError as error:
            problems.append(problem(printable(f"explain {name}"), "unknown-code", error.message, error.hint))
    return pages, problems
