"""`smemdsl sweep`: every combination of some parameters."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from os.path import splitext

import click

from smemdsl.api import Scenario
from smemdsl.cli import shell_completion
from smemdsl.cli.batch import Batch
from smemdsl.cli.configs import RawConfig, read_configs, without_launch_options
from smemdsl.cli.executors import check_scheduler
from smemdsl.cli.option_values import FileType
from smemdsl.cli.options import jobs_option, model_options, rows_options, scheduler_option, set_option
from smemdsl.cli.output import complain, say
from smemdsl.cli.output_guard import refuse_overwriting
from smemdsl.cli.resumable import written
from smemdsl.cli.sweep_plan import doubts, make_table, make_task, once_each, other_targets, unfilled
from smemdsl.cli.sweep_run import SweepRequest, announced, run
from smemdsl.cli.sweep_workers import SweepJob
from smemdsl.core import exit_codes
from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.output.formats import FILES, LINES, TABLES, of_file, renderer
from smemdsl.source.discovery import STDIN, printable
from smemdsl.sweeping import Tally

_STYLES = (*TABLES, *LINES, *FILES)


@click.command(short_help="Every combination of some parameters.")
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE...", shell_complete=shell_completion.scenarios
)
@set_option(
    "Values of a parameter: one (4), a list (2,4), a range (1..6), in steps (16..256:16) or by a factor "
    "(16..256*2). Replaces the file's axis of that name."
)
@click.option(
    "--configs",
    "configs_file",
    type=FileType(dir_okay=False, allow_dash=False),
    metavar="FILE",
    help="Judge the configurations of a json, yaml or csv file instead of axes.",
)
@click.option(
    "--max",
    "largest",
    metavar="PARAM",
    shell_complete=shell_completion.parameters,
    help="One row for the largest value of PARAM that fits.",
)
@click.option(
    "--pivot",
    metavar="PARAM",
    shell_complete=shell_completion.parameters,
    help="A grid with a column for each value of PARAM.",
)
@click.option("--fits-only", is_flag=True, help="Leave out what does not fit.")
@click.option(
    "--first",
    is_flag=True,
    help="Stop at the first configuration that fits: of each scenario, for each budget.",
)
@model_options
@jobs_option
@scheduler_option
@rows_options(*_STYLES)
def sweep(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    configs_file: str | None,
    largest: str | None,
    pivot: str | None,
    fits_only: bool,
    first: bool,
    budgets: tuple[str, ...],
    policy: str | None,
    align: int | None,
    time_limit: float | None,
    jobs: int | None,
    scheduler: str | None,
    output: str | None,
    resume: bool,
    style: str | None,
) -> None:
    """Judge every combination of the axes, or every configuration of a list.

    Axes are those of the file's `sweep` in its order, --set or not, then those that --set adds, as given; the
    first is the slowest. Combinations that break a constraint are skipped and counted.

    Exit code: 0 at least one row fits; 1 none does; 2 bad input, or a configuration that has no meaning.

    \b
    Examples:
      smemdsl sweep gemm-tiles.yaml --format csv
      smemdsl sweep gemm-tiles.yaml --set block_M=64,128,256 --max num_stages
      smemdsl sweep gemm-tiles.yaml --max num_stages --pivot block_K --budget 32678
      smemdsl sweep kernel.yaml --configs autotune.json --first
      smemdsl sweep gemm-tiles.yaml --set block_K=16..1024:16 --output tiles.csv
      smemdsl sweep kernels --budget sm_80 --budget sm_90 --output rows.jsonl --scheduler tcp://10.0.0.1:8786
    """
    output, style = _target(output, style)
    _check_usage(style, pivot, largest, output)
    if resume:
        _check_resume(style, pivot, output, first=first)
    if first and scheduler:
        raise click.UsageError("--first judges one row after the other: leave out --scheduler")
    check_scheduler(scheduler, jobs)
    batch = Batch(paths)
    refuse_overwriting((output, *written(output)[1:]) if output else (), (*batch.inputs, configs_file))
    configs = _read(configs_file, batch)
    listed = [name for config in configs for name in config.values]
    batch.check_flags(budgets, set=dict(settings), configs=listed, max=[largest] if largest else [])
    tasks, notes = [], []
    for scenario in batch.scenarios if style in ("json", *LINES) else _told_apart(batch.scenarios):
        try:
            options = Options(policy, align, time_limit)
            task, note = once_each(make_task(scenario, dict(settings), configs, budgets, options, largest))
            tasks.append(task)
            notes.append(note)
            batch.diagnostics += [*other_targets(task), *doubts(task)]
        except ScenarioError as error:
            batch.reject(error.diagnostics)
    table = make_table(tasks, largest)
    if pivot and tasks and pivot not in table.columns:
        raise click.UsageError(f"--pivot {pivot}: it is not swept; {did_you_mean(pivot, table.columns)}")
    complain(batch.diagnostics)
    tally = Tally(batch.invalid, batch.diagnostics)
    job = SweepJob(tuple(tasks), table, style, pivot is not None, fits_only or first)
    for note in filter(None, (*notes, *map(unfilled, tasks), announced(job))):
        say(f"note: {note}\n", sys.stderr)
    raise SystemExit(run(job, tally, SweepRequest(pivot, first, jobs, scheduler, output, resume)))


def _target(output: str | None, style: str | None) -> tuple[str | None, str]:
    """The file, None for stdout, and the format; a note where the file's ending does not say that."""
    if output is None or output == STDIN:  # as elsewhere, - is a standard stream
        return None, style or "text"
    found, ending = of_file(output, _STYLES), splitext(output)[1]
    if style is None and found is None and ending:
        say(f"note: {ending} names no format: text is written; --format says otherwise\n", sys.stderr)
    if style is not None and found not in (None, style):
        say(f"note: {printable(output)} holds {style}, as --format says\n", sys.stderr)
    return output, style or found or "text"


def _check_usage(style: str, pivot: str | None, largest: str | None, output: str | None) -> None:
    """Options that do not go together end the run."""
    if pivot and style in ("json", *LINES, *FILES):
        raise click.UsageError("--pivot makes a grid: choose --format text, csv or markdown")
    if style in FILES and (output is None or not renderer(style).available()):
        need = "--output FILE" if output is None else "pyarrow: pip install 'smemdsl[parquet]'"
        raise click.UsageError(f"--format {style} needs {need}")
    if pivot and pivot == largest:
        raise click.UsageError("--pivot and --max cannot name the same parameter")


def _check_resume(style: str, pivot: str | None, output: str | None, *, first: bool) -> None:
    """An answer that is not written row by row has nothing to go on with."""
    if output is None:
        raise click.UsageError("--resume continues a file: name it with --output")
    if pivot or first:
        raise click.UsageError(f"--resume and {'--pivot' if pivot else '--first'}: it can only start over")
    if not hasattr(renderer(style), "sweep_stream"):
        raise click.UsageError(
            f"--resume: {style} is written when all rows are there; only csv, json and jsonl can be resumed"
        )


def _read(path: str | None, batch: Batch) -> list[RawConfig]:
    """The configurations of a file; without them there is nothing to do."""
    try:
        listed = read_configs(path) if path else []
    except ScenarioError as error:
        complain([*batch.diagnostics, *error.diagnostics])
        raise SystemExit(exit_codes.INVALID) from None
    params = {name for scenario in batch.scenarios for name in scenario.params}
    configs, note = without_launch_options(listed, params)
    if note and batch.scenarios:
        say(f"note: {note}\n", sys.stderr)
    return configs


def _told_apart(scenarios: Sequence[Scenario]) -> Iterator[Scenario]:
    """The scenarios, with its path in the name of each whose name another one has too."""
    names = Counter(scenario.name for scenario in scenarios)
    for scenario in scenarios:
        if names[scenario.name] > 1:
            name = f"{scenario.name} ({scenario.path})"
            yield Scenario(scenario.document, scenario.spec._replace(name=name))
        else:
            yield scenario
