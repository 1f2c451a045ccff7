"""`smemdsl check`: the verdict of every scenario."""

from __future__ import annotations

import click

from smemdsl.api import Scenario
from smemdsl.commands.batch import Batch, settings_of
from smemdsl.commands.options import SET_HELP, format_option, model_options, set_option
from smemdsl.commands.output import finish
from smemdsl.commands.updates import update_expectations
from smemdsl.judging import Verdict
from smemdsl.planning import Options


@click.command(short_help="A verdict for every scenario; expectations verified.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@set_option(SET_HELP)
@model_options
@click.option("--matrix", is_flag=True, help="One row a scenario and one column a budget: verdicts only.")
@click.option(
    "--update-expect",
    is_flag=True,
    help="Rewrite the expected numbers that do not hold, in place; `fits`, `share` and expressions stay.",
)
@format_option
def check(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    budgets: tuple[str, ...],
    policy: str | None,
    align: int | None,
    time_limit: float | None,
    matrix: bool,
    update_expect: bool,
    style: str,
) -> None:
    """Say for every scenario whether it fits, and verify what it expects of itself.

    PATH is a file, a folder (all .yaml and .yml files below it), a glob, - for standard input, or
    builtin:NAME for a scenario that ships (builtin: for all).

    Exit code: 0 all fit, or are expected not to; 1 something is over or an expectation failed; 2 bad input.

    \b
    Examples:
      smemdsl check scenarios
      smemdsl check epilogue.yaml --set num_stages=4 --budget sm_80 --budget sm_90
      smemdsl check scenarios --budget a100 --budget h100 --matrix
      smemdsl check builtin: --format json > verdicts.json
      smemdsl check scenarios --update-expect
    """
    batch = Batch(paths)
    given = dict(settings)
    batch.check_flags(budgets, set=given)
    options = Options(policy, align, time_limit)
    overridden = [
        flag
        for flag, value in (("--set", given), ("--budget", budgets), ("--policy", policy), ("--align", align))
        if value
    ]
    if update_expect:
        if overridden:
            raise click.UsageError(
                f"--update-expect takes the files as they stand: leave out {overridden[0]}"
            )
        update_expectations(batch, options)

    def verdicts(scenario: Scenario) -> list[Verdict]:
        if overridden:
            return scenario.verdicts(budgets, options, **settings_of(scenario, given))
        return scenario.own_verdicts(options)

    skipped = any(s.spec.expect or s.spec.device_expect for s in batch.scenarios) and overridden
    notes = (f"expectations are not verified under {', '.join(overridden)}",) if skipped else ()
    finish(batch.judge("check", verdicts, notes), style, matrix=matrix)
