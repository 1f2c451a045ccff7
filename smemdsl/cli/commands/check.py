"""`smemdsl check`: the verdict of every scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from smemdsl.api import Scenario
from smemdsl.cli import shell_completion
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.cli.executors import check_scheduler
from smemdsl.cli.option_values import FileType
from smemdsl.cli.options import (
    SET_HELP,
    fill_option,
    jobs_option,
    model_options,
    output_options,
    scheduler_option,
    set_option,
)
from smemdsl.cli.output import complain, finish
from smemdsl.cli.output_guard import refuse_overwriting
from smemdsl.cli.over_budget import with_over_budget_diagnostics
from smemdsl.cli.policy_comparison import with_policy_results
from smemdsl.cli.suggestions import with_suggestions
from smemdsl.core import exit_codes
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.judging.result import Report
from smemdsl.judging.verdict import Verdict
from smemdsl.policies import policy_names
from smemdsl.rules.lints import lint

if TYPE_CHECKING:
    from smemdsl.review.state import Snapshot


@click.command(short_help="A verdict for every scenario; expectations verified.")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=shell_completion.scenarios
)
@set_option(SET_HELP)
@fill_option
@model_options
@click.option(
    "--compare",
    "compared",
    multiple=True,
    type=click.Choice(policy_names()),
    metavar="POLICY",
    help="Add a column with the arena that another policy makes of the same buffers; repeat it for several.",
)
@click.option(
    "--suggest/--no-suggest",
    "suggest",
    default=None,
    help="Say what would fit, and of what fits how far the next block/SM is. "
    "Default: of a single file that is over budget and not expected to be.",
)
@click.option("--matrix", is_flag=True, help="One row a scenario and one column a budget: verdicts only.")
@click.option(
    "--update-expect",
    is_flag=True,
    help="Rewrite the expected numbers that do not hold, in place; `fits`, `share` and expressions stay.",
)
@click.option(
    "--baseline",
    type=FileType(dir_okay=False, allow_dash=False),
    metavar="FILE",
    help="Print only what is worse than a stored result (--format json), and fail on that alone.",
)
@jobs_option
@scheduler_option
@click.option("--strict", is_flag=True, help="Let warnings fail the run, with exit code 1.")
@output_options()
def check(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    fills: tuple[tuple[str, str], ...],
    budgets: tuple[str, ...],
    policy: str | None,
    align: int | None,
    time_limit: float | None,
    compared: tuple[str, ...],
    suggest: bool | None,
    matrix: bool,
    update_expect: bool,
    baseline: str | None,
    jobs: int | None,
    scheduler: str | None,
    strict: bool,
    style: str,
    outputs: tuple[tuple[str, str], ...],
) -> None:
    """Say for every scenario whether it fits, verify what it expects of itself, and warn of what looks wrong.

    PATH is a file, a folder (all .yaml and .yml files below it), a glob, - for standard input, or
    builtin:NAME for a scenario that ships (builtin: for all).

    Exit code: 0 all fit, or are expected not to; 1 something is over or an expectation failed; 2 bad input.

    \b
    Examples:
      smemdsl check scenarios
      smemdsl check epilogue.yaml --set num_stages=4 --budget sm_80 --budget sm_90
      smemdsl check scenarios --budget a100 --budget h100 --matrix
      smemdsl check builtin: --format json > verdicts.json
      smemdsl check epilogue.yaml --fill num_stages=1..16 --compare optimal
      smemdsl check scenarios --update-expect
      smemdsl check scenarios --baseline verdicts.json
    """
    check_scheduler(scheduler, jobs)
    stored = _baseline(baseline)
    batch = Batch(paths)
    refuse_overwriting([file for _, file in outputs], (*batch.inputs, baseline))
    given = dict(settings)
    batch.check_flags(budgets, set=given, fill=dict(fills))
    batch.fill(dict(fills))
    options = Options(policy, align, time_limit)
    flags = {"--set": given, "--fill": fills, "--budget": budgets, "--policy": policy, "--align": align}
    overridden = [flag for flag, value in flags.items() if value]
    if update_expect:
        _update(batch, options, overridden)
    verdicts = partial(_verdicts, budgets, options, given, bool(overridden))
    skipped = any(s.spec.expect or s.spec.device_expect for s in batch.scenarios) and overridden
    notes = (f"expectations are not verified under {', '.join(overridden)}",) if skipped else ()
    report = batch.judge("check", verdicts, notes, None if overridden else lint, jobs, policy, scheduler)
    if stored is not None:
        report = _against(report, stored, batch, verified=not overridden)
    if strict and any(item.severity == "warning" for item in report.diagnostics):
        report = report._replace(failed=True)
    report = with_suggestions(with_policy_results(report, compared), suggest)
    finish(
        with_over_budget_diagnostics(report, batch.scenarios), style, outputs, view="matrix" if matrix else ""
    )


def _verdicts(
    budgets: Sequence[str],
    options: Options,
    given: Mapping[str, str],
    overridden: bool,
    scenario: Scenario,
) -> Sequence[Verdict]:
    """The verdicts of a scenario: of the file as it stands, unless a flag overrides something of it."""
    if overridden:
        return scenario.verdicts_with(settings_of(scenario, given), budgets, options)
    return scenario.own_verdicts(options)


def _update(batch: Batch, options: Options, overridden: Sequence[str]) -> None:
    """Bring the expected numbers up to date, which only the files as they stand can have."""
    if overridden:
        raise click.UsageError(f"--update-expect takes the files as they stand: leave out {overridden[0]}")
    from smemdsl.cli.updates import update_expectations

    update_expectations(batch, options)


def _against(report: Report, stored: Snapshot, batch: Batch, *, verified: bool) -> Report:
    """What is worse than a stored result."""
    from smemdsl.cli.baseline import against

    return against(report, stored, batch.scenarios, verified=verified)


def _baseline(path: str | None) -> Snapshot | None:
    """The stored result, if one is named; one that cannot be read ends the run."""
    if path is None:
        return None
    from smemdsl.cli.baseline import read_baseline

    try:
        return read_baseline(path)
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None
