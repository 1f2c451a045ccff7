"""`smemdsl diff`: what changed between two results, files, folders or git revisions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from smemdsl.cli import shell_completion
from smemdsl.cli.diff_inputs import DiffInputs
from smemdsl.cli.options import SET_HELP, model_options, output_options, set_option
from smemdsl.cli.output import complain, deliver, say
from smemdsl.cli.output_guard import files_of, refuse_overwriting
from smemdsl.core import exit_codes
from smemdsl.core.errors import ExpressionError, ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.output.formats import SELF_CONTAINED
from smemdsl.output.formats.changes import summary
from smemdsl.review.changes import Diff
from smemdsl.review.growth import Growth, read_growth

if TYPE_CHECKING:
    _GrowthType = click.ParamType[Growth]
else:  # older versions of click have it without a parameter
    _GrowthType = click.ParamType


class GrowthType(_GrowthType):
    """A limit on growth."""

    name = "growth"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Growth:
        """Read the limit."""
        try:
            return value if isinstance(value, Growth) else read_growth(str(value))
        except ExpressionError as error:
            self.fail(f"{error.message}{error.hint and f' ({error.hint})'}", param, ctx)


@click.command(short_help="What changed between two results, folders or revisions.")
@click.argument("paths", nargs=-1, metavar="[OLD NEW] | [PATH...]", shell_complete=shell_completion.scenarios)
@click.option(
    "--base",
    metavar="REV",
    shell_complete=shell_completion.revisions,
    help="Compare with where HEAD left this git revision.",
)
@click.option(
    "--max-growth",
    "limits",
    multiple=True,
    type=GrowthType(),
    metavar="LIMIT",
    help="Fail where a scenario uses more than this much more: 5%, 4KiB, 4096. Repeat it for several.",
)
@set_option(SET_HELP)
@model_options
@output_options("text", "json", "markdown", "github")
def diff(
    paths: tuple[str, ...],
    base: str | None,
    limits: tuple[Growth, ...],
    settings: tuple[tuple[str, str], ...],
    budgets: tuple[str, ...],
    policy: str | None,
    align: int | None,
    time_limit: float | None,
    style: str,
    outputs: tuple[tuple[str, str], ...],
) -> None:
    """Say what changed: one line a scenario, the buffers that explain it below.

    OLD and NEW are each a result (`smemdsl pack --format json > FILE`; one of `check` lists no buffers), a
    scenario file, a folder, or a git revision. With --base, every PATH is compared with what it was where
    HEAD left that revision: at their merge base, as `git diff REV...` does, or at the revision where there is
    none. Renamed files are followed, no checkout is touched; without a PATH, all scenarios of the working
    tree.

    Exit code: 1 where something that fitted no longer does, an expectation broke, or growth passes
    --max-growth; 2 bad input; else 0.

    \b
    Examples:
      smemdsl diff --base main
      smemdsl diff --base origin/main scenarios --max-growth 5%
      smemdsl diff old.json scenarios --format markdown
      smemdsl diff v1.0 v1.1
    """
    if not base and len(paths) != 2:
        raise click.UsageError("name OLD and NEW, or a git revision: --base main")
    refuse_overwriting([file for _, file in outputs], files_of(paths))
    sides = DiffInputs(dict(settings), budgets, Options(policy, align, time_limit))
    try:
        found = sides.against(base, paths, limits) if base else sides.compare(paths[0], paths[1], limits)
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None
    if style not in SELF_CONTAINED:
        complain(found.diagnostics)
    for note in found.notes:
        say(f"note: {note}\n", sys.stderr)
    if not found.changes and style in ("markdown", "github"):  # where nothing changed, a comment has no text
        say(f"{summary(found)}\n", sys.stderr)
    deliver(found, "diff", style, outputs)
    raise SystemExit(_exit_code(found))


def _exit_code(diff: Diff) -> int:
    if diff.invalid:
        return exit_codes.INVALID
    return exit_codes.OVER if any(change.fails for change in diff.changes) else exit_codes.OK
