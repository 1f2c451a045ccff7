"""`smemdsl explain`: what an error or a warning means."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from smemdsl.cli import shell_completion
from smemdsl.cli.options import color_option
from smemdsl.cli.output import complain, say
from smemdsl.core import exit_codes
from smemdsl.core.errors import Diagnostic, UnknownNameError
from smemdsl.rules.catalogue import Page, codes, page
from smemdsl.source.discovery import printable, problem


@click.command(short_help="What an error or a warning means, and how to mend it.")
@click.argument("wanted", nargs=-1, metavar="[CODE]...", shell_complete=shell_completion.codes)
@color_option
def explain(wanted: tuple[str, ...]) -> None:
    """Tell what a code of an error or a warning means: what, why, an example that fails, and the fix.

    CODE is what stands in brackets: `error[expect-arena]`. Without one, all codes are listed.

    \b
    Examples:
      smemdsl explain expect-arena
      smemdsl explain
    """
    names = [
        name.strip().removeprefix("error[").removeprefix("warning[").removesuffix("]") for name in wanted
    ]
    pages, problems = _pages(names)
    for i, found in enumerate(pages):
        say(("\n" if i else "") + f"# {found.code}\n\n{found.text}\n", sys.stdout)
    complain(problems)
    if problems:
        raise SystemExit(exit_codes.INVALID)
    if not pages:
        width = max(map(len, codes()))
        for code in codes():
            say(f"{code:{width}}  {page(code).summary}\n", sys.stdout)


def _pages(names: Iterable[str]) -> tuple[list[Page], list[Diagnostic]]:
    """The pages of the codes that there are, and what is to be said of the others."""
    pages: list[Page] = []
    problems: list[Diagnostic] = []
    for name in dict.fromkeys(names):
        try:
            pages.append(page(name))
        except UnknownNameError as error:
            problems.append(problem(printable(f"explain {name}"), "unknown-code", error.message, error.hint))
    return pages, problems
