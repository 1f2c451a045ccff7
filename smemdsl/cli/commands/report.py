"""`smemdsl report`: everything on one page for a browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial

import click

from smemdsl.api import Scenario
from smemdsl.cli import shell_completion
from smemdsl.cli.atomic_write import write_whole
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.cli.option_values import FileType
from smemdsl.cli.options import SET_HELP, comparing_options, fill_option, jobs_option, set_option
from smemdsl.cli.output import complain, say, tell
from smemdsl.cli.output_guard import refuse_overwriting
from smemdsl.cli.over_budget import with_over_budget_diagnostics
from smemdsl.cli.policy_comparison import side_by_side
from smemdsl.core import exit_codes
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.judging.result import Report, exit_code
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.tables import counts
from smemdsl.rules.lints import lint
from smemdsl.source import discovery


@click.command("report", short_help="Everything on one page for a browser: table, maps, what if.")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=shell_completion.scenarios
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=FileType(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the page here, whole or not at all; - for stdout.",
)
@click.option("--title", default="smemdsl report", show_default=True, help="The heading of the page.")
@set_option(SET_HELP)
@fill_option
@comparing_options
@click.option(
    "--baseline",
    metavar="FILE|DIR|REV",
    help="Show what the numbers were: in a stored result (--format json), in other scenarios, or at a git "
    "revision; of several policies, the first is compared.",
)
@click.option(
    "--combinations",
    type=click.IntRange(min=1),
    metavar="N",
    help="Work out up to so many combinations of the swept parameters of each scenario, for the page to "
    "switch between. Default: 256, fewer where there are more than 64 scenarios.",
)
@jobs_option
@click.option("--strict", is_flag=True, help="Let warnings fail the run, with exit code 1.")
def report(
    paths: tuple[str, ...],
    output: str,
    title: str,
    settings: tuple[tuple[str, str], ...],
    fills: tuple[tuple[str, str], ...],
    budgets: tuple[str, ...],
    policies: tuple[str, ...],
    align: int | None,
    time_limit: float | None,
    baseline: str | None,
    combinations: int | None,
    jobs: int | None,
    strict: bool,
) -> None:
    """Write one page that has everything, for a browser: it needs no network, and nothing but itself.

    A table of all scenarios that can be sorted and filtered; for each its map, its buffers, and its swept
    parameters to play with; policies side by side; what a baseline had; everything that was found.

    PATH is what it is for `smemdsl check`, and the verdicts and the exit code are those of it. Needs
    smemdsl[report].

    Exit code: 0 all fit, or are expected not to; 1 something is over or an expectation failed; 2 bad input.

    \b
    Examples:
      smemdsl report scenarios -o report.html
      smemdsl report kernel.yaml -o kernel.html --budget a100 --budget h100
      smemdsl report kernel.yaml -o kernel.html --policy tilelang --policy optimal
      smemdsl report scenarios -o report.html --baseline main --title "Kernels against main"
    """
    from smemdsl.cli.report_page import PageRequest, make_page
    from smemdsl.output.report import page as pages

    if not pages.available():
        raise click.UsageError("report needs Jinja2: pip install 'smemdsl[report]'")
    batch = Batch(paths)
    refuse_overwriting([output] if output != discovery.STDIN else [], (*batch.inputs, *_read(baseline)))
    given = dict(settings)
    batch.check_flags(budgets, set=given, fill=dict(fills))
    batch.fill(dict(fills))
    options = tuple(Options(policy, align, time_limit) for policy in dict.fromkeys(policies or (None,)))
    flags = {"--set": given, "--fill": fills, "--budget": budgets, "--policy": policies, "--align": align}
    overridden = [flag for flag, value in flags.items() if value]
    report = batch.judge(
        "report",
        partial(_verdicts, budgets, options, given, bool(overridden)),
        _notes(batch, overridden),
        None if overridden else lint,
        jobs,
        policies[0] if policies else None,
    )
    if strict and any(item.severity == "warning" for item in report.diagnostics):
        report = report._replace(failed=True)
    tell(report)
    job = PageRequest(paths, title, given, budgets, options, bool(overridden), combinations, baseline, jobs)
    try:
        page = make_page(with_over_budget_diagnostics(report, batch.scenarios), batch, job)
        for note in page.notes[len(report.notes) :]:
            say(f"note: {note}\n", sys.stderr)
        _deliver(pages.write(page).encode("utf-8"), output, report)
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None
    raise SystemExit(exit_code(report))


def _verdicts(
    budgets: Sequence[str],
    options: Sequence[Options],
    given: Mapping[str, str],
    overridden: bool,
    scenario: Scenario,
) -> Sequence[Verdict]:
    """The verdicts of a scenario, all policies on the first budget first."""
    if not overridden:
        return scenario.own_verdicts(options[0])
    settings = settings_of(scenario, given)
    return side_by_side(scenario.verdicts_with(settings, budgets, one) for one in options)


def _read(baseline: str | None) -> list[str]:
    """The files of a baseline."""
    if baseline is None or not os.path.lexists(baseline):
        return []
    return [found.file for found in discovery.find((baseline,)) if isinstance(found, discovery.Source)]


def _notes(batch: Batch, overridden: Sequence[str]) -> tuple[str, ...]:
    """What is said of expectations that were not looked at."""
    skipped = any(s.spec.expect or s.spec.device_expect for s in batch.scenarios) and overridden
    return (f"expectations are not verified under {', '.join(overridden)}",) if skipped else ()


def _deliver(page: bytes, output: str, report: Report) -> None:
    """The page into its file, and the counts on stdout; or the page on stdout."""
    if output == discovery.STDIN:
        click.echo(page, nl=False)
        return
    write_whole(output, page)
    say(f"wrote {discovery.printable(output)}\n", sys.stderr)
    say(f"{counts(report)}\n", sys.stdout, coloured=False)
