"""`smemdsl pack`: where each buffer lies, and what makes the arena as large as it is."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

import click

from smemdsl.cli import shell_completion
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.cli.options import SET_HELP, comparing_options, fill_option, output_options, set_option
from smemdsl.cli.output import finish
from smemdsl.cli.output_guard import refuse_overwriting
from smemdsl.cli.over_budget import with_over_budget_diagnostics
from smemdsl.cli.policy_comparison import side_by_side, with_bounds
from smemdsl.judging.plan import Options
from smemdsl.judging.result import MapOptions, Report
from smemdsl.scenario.reading.interval_table import IntervalTable, has_capacity

WIDE = 80
"""Columns of a terminal on which a map is drawn unasked."""
_FEWEST_LINES, _MOST_LINES = 12, 30
"""Of a map's addresses: half of the terminal's lines, within these bounds."""


@click.command(short_help="Where each buffer lies, and what makes the peak.")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=shell_completion.scenarios
)
@set_option(SET_HELP)
@fill_option
@comparing_options
@click.option(
    "--explain", is_flag=True, help="Show which rule gave each buffer its versions, life and alignment."
)
@click.option(
    "--map/--no-map",
    "drawn",
    default=None,
    help=f"Draw the arena: slots across, addresses down. Default: on a terminal of {WIDE} columns or more.",
)
@output_options()
def pack(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    fills: tuple[tuple[str, str], ...],
    budgets: tuple[str, ...],
    policies: tuple[str, ...],
    align: int | None,
    time_limit: float | None,
    explain: bool,
    drawn: bool | None,
    style: str,
    outputs: tuple[tuple[str, str], ...],
) -> None:
    """Show the arena: where each buffer lies, who shares storage, and what makes the peak.

    For every buffer its versions, bytes, alignment, live range and offset; where storage changes hands; and
    how many blocks run on an SM.

    PATH is a file, a folder, a glob, - for standard input, or builtin:NAME for a scenario that ships.
    Expectations are not looked at; `smemdsl check` verifies them.

    A .csv is a table of intervals, as google/minimalloc has it: id,lower,upper,size[,alignment], half-open; a
    column offset, as solutions have it, is not looked at. It is packed by policy optimal and judged by the
    capacity in its name (NAME.CAPACITY.csv), else by the sum of its sizes; --policy and --budget say
    otherwise.

    \b
    Policies:
      tilelang    as TileLang 0.1.15 packs its arena; the default
      sequential  as TileLang without reuse: one buffer after the other, by name
      struct      the members of a C struct, in the file's order: no reuse
      triton      as Triton 3.9.0 allocates
      firstfit    as TensorFlow Lite: the largest first, each as low as it can go
      optimal     the least arena there is, with proof if --time-limit allows

    Exit code: 0 all fit; 1 something is over or a constraint does not hold; 2 bad input.

    \b
    Examples:
      smemdsl pack epilogue.yaml
      smemdsl pack epilogue.yaml --set num_stages=4 --budget h100 --map
      smemdsl pack builtin:epilogue --policy firstfit --explain
      smemdsl pack epilogue.yaml --policy tilelang --policy triton --policy optimal
      smemdsl pack epilogue.yaml --fill num_stages=1..16 --budget a100 --budget h100
      smemdsl pack A.1048576.csv --time-limit 10 --format csv
      smemdsl pack epilogue.yaml --format json | jq '.results[].buffers'
    """
    batch = Batch(paths)
    refuse_overwriting([file for _, file in outputs], batch.inputs)
    given = dict(settings)
    batch.check_flags(budgets, set=given, fill=dict(fills))
    batch.fill(dict(fills))
    chosen = [Options(policy, align, time_limit) for policy in dict.fromkeys(policies or (None,))]
    several = len(chosen) > 1
    if several and explain:
        raise click.UsageError("--explain and several policies: the reasons are the same for all")
    report = batch.judge(
        "pack",
        lambda s: side_by_side(s.verdicts_with(settings_of(s, given), budgets, o) for o in chosen),
        () if budgets else tuple(_without_capacity(batch)),
    )
    if several:
        report = with_bounds(report)
    if explain:
        report = _explained(report)
    if "json" in (style, *(name for name, _ in outputs)):
        report = _with_largest(report)
    if drawn or not several:
        report = report._replace(maps=_map_options(drawn))
    finish(
        with_over_budget_diagnostics(report, batch.scenarios),
        style,
        outputs,
        view="comparison" if several else "",
    )


def _map_options(drawn: bool | None) -> MapOptions | None:
    """How to draw, if at all: without a word for or against it, where a person has room to look."""
    width, height = shutil.get_terminal_size()
    if drawn is None:
        drawn = sys.stdout is not None and sys.stdout.isatty() and width >= WIDE
    if not drawn:
        return None
    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()
    return MapOptions(width, min(max(_FEWEST_LINES, height // 2), _MOST_LINES), unicode)


def _without_capacity(batch: Batch) -> Iterator[str]:
    """What is said of tables of intervals whose budget nobody gave."""
    for scenario in batch.scenarios:
        if isinstance(scenario.document, IntervalTable) and not has_capacity(scenario.path):
            why = f"{scenario.path} names no capacity (NAME.CAPACITY.csv)"
            yield f"{why}, so the sum of its sizes is the budget: give --budget"


def _explained(report: Report) -> Report:
    from smemdsl.judging.explain import reasons

    explained = (result._replace(reasons=reasons(result.verdict.plan)) for result in report.results)
    return report._replace(results=tuple(explained))


def _with_largest(report: Report) -> Report:
    from smemdsl.review.live import largest_values

    known = (result._replace(largest=largest_values(result.verdict)) for result in report.results)
    return report._replace(results=tuple(known))
