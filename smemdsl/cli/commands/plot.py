"""`smemdsl plot`: the memory map, or a sweep, as a figure in a file."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from smemdsl.api import Scenario
from smemdsl.cli import shell_completion
from smemdsl.cli.atomic_write import write_whole
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.cli.option_values import FiniteType
from smemdsl.cli.options import comparing_options, fill_option, set_option
from smemdsl.cli.output import complain, say, tell
from smemdsl.cli.output_guard import refuse_overwriting
from smemdsl.cli.over_budget import with_over_budget_diagnostics
from smemdsl.core import exit_codes
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.judging.result import exit_code
from smemdsl.output.formats.tables import counts
from smemdsl.output.plotting.sheet import SIZES, SUFFIXES, Sheet
from smemdsl.source.discovery import printable, problem

if TYPE_CHECKING:
    from smemdsl.output.plotting import CurveFigure, HeatFigure, MapFigure

_INCHES = FiniteType(min=1, max=100)


@click.command(short_help="The memory map, or a sweep, as a figure.")
@click.argument("paths", nargs=-1, required=True, metavar="FILE", shell_complete=shell_completion.scenarios)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Write the figure here: a name that ends in .svg, .png or .pdf.",
)
@click.option("--sweep", "swept", is_flag=True, help="Draw what fits over one or two parameters.")
@set_option("Give a parameter a value; with --sweep also the values of an axis, as `smemdsl sweep` has them.")
@fill_option
@comparing_options
@click.option("--title", metavar="TEXT", help="Instead of the scenario's name; '' for none.")
@click.option(
    "--size",
    type=click.Choice(tuple(SIZES)),
    default="page",
    show_default=True,
    help="What it is for: a column or the whole width of a paper of two columns, or a slide of 16:9.",
)
@click.option("--width", type=_INCHES, metavar="INCHES", help="Another width than the size has.")
@click.option(
    "--height", type=_INCHES, metavar="INCHES", help="Another height; it is more where the text needs it."
)
def plot(
    paths: tuple[str, ...],
    output: str,
    swept: bool,
    settings: tuple[tuple[str, str], ...],
    fills: tuple[tuple[str, str], ...],
    budgets: tuple[str, ...],
    policies: tuple[str, ...],
    align: int | None,
    time_limit: float | None,
    title: str | None,
    size: str,
    width: float | None,
    height: float | None,
) -> None:
    """Draw a figure for a paper or a slide: slots across, addresses down, a rectangle a buffer.

    Several policies stand side by side on one scale, and every budget is a line across them. With --sweep:
    over two parameters what is used as colours, and the frontier of what fits; over one, what is used
    against the budgets and the steps of occupancy. Colours differ in grey, too, and to the colour-blind.

    FILE is one scenario, or builtin:NAME for one that ships. Needs smemdsl[plot].

    Exit code: 0 all fit, of a sweep at least one row; 1 something is over; 2 bad input.

    \b
    Examples:
      smemdsl plot epilogue.yaml -o map.svg --budget h100 --budget rtx-4090
      smemdsl plot epilogue.yaml -o map.pdf --policy sequential --policy tilelang --size column
      smemdsl plot gemm-tiles.yaml -o sweep.png --sweep --set num_stages=1..8 --budget h100
      smemdsl plot gemm-tiles.yaml -o tiles.svg --sweep --set block_M=64..256:64 --set block_N=64..256:64
    """
    suffix = os.path.splitext(output)[1].lower()
    if suffix not in SUFFIXES:
        raise click.UsageError(f"--output {printable(output)}: a figure is an {', '.join(SUFFIXES)}")
    if not _available():
        raise click.UsageError("plot needs matplotlib: pip install 'smemdsl[plot]'")
    if swept and fills:
        raise click.UsageError("--sweep and --fill: a sweep fills nothing")
    batch = Batch(paths)
    refuse_overwriting([output], batch.inputs)
    batch.check_flags(budgets, set=dict(settings), fill=dict(fills))
    batch.fill(dict(fills))
    options = tuple(Options(policy, align, time_limit) for policy in dict.fromkeys(policies or (None,)))
    request = _PlotRequest(dict(settings), budgets, options, title)
    sheet = SIZES[size].resized(width, height)
    try:
        scenario = _only(batch)
        outcome = _sweep(scenario, request) if swept else _map(batch, request)
        _write(outcome.figure, sheet, suffix, output)
    except ScenarioError as error:
        complain((*batch.diagnostics, *error.diagnostics))
        raise SystemExit(exit_codes.INVALID) from None
    say(f"{outcome.words}\n", sys.stdout, coloured=False)
    raise SystemExit(outcome.code)


class _PlotRequest(NamedTuple):
    """What is to be drawn."""

    settings: dict[str, str]
    budgets: tuple[str, ...]
    options: tuple[Options, ...]
    """One a policy."""
    title: str | None


class _Outcome(NamedTuple):
    """A figure, the counts in words, and the exit code."""

    figure: MapFigure | HeatFigure | CurveFigure
    words: str
    code: int


def _available() -> bool:
    """Whether matplotlib is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def _only(batch: Batch) -> Scenario:
    """The one scenario that is sound.

    Raises:
        ScenarioError: there are several, or none.
    """
    paths = [scenario.path for scenario in batch.scenarios]
    if len(paths) + batch.invalid > 1:
        message = f"{len(paths) + batch.invalid} scenarios found; a figure shows one"
        raise ScenarioError([problem("plot", "several-scenarios", message, "name one file")])
    if not paths:
        raise ScenarioError([])
    return batch.scenarios[0]


def _map(batch: Batch, request: _PlotRequest) -> _Outcome:
    from smemdsl.output.plotting import MOST_BUFFERS, map_figure

    report = batch.judge(
        "plot",
        lambda s: [
            verdict
            for one in request.options
            for verdict in s.verdicts_with(settings_of(s, request.settings), request.budgets, one)
        ],
    )
    tell(with_over_budget_diagnostics(report, batch.scenarios))
    if not report.results:
        raise SystemExit(exit_code(report))
    batch.diagnostics.clear()  # they have been told
    verdicts = [result.verdict for result in report.results]
    number = sum(1 for buffer in verdicts[0].plan.lowered.buffers if buffer.bytes)
    if number == 0:
        raise ScenarioError([problem(report.results[0].path, "plot", "nothing lies in the arena")])
    if number > MOST_BUFFERS:
        message = f"{number} buffers are more than the {MOST_BUFFERS} that a figure shows"
        raise ScenarioError([problem(report.results[0].path, "plot", message)])
    return _Outcome(map_figure(verdicts, request.title), counts(report), exit_code(report))


def _sweep(scenario: Scenario, request: _PlotRequest) -> _Outcome:
    from smemdsl.cli.plot_sweep import sweep

    return _Outcome(*sweep(scenario, request.settings, request.budgets, request.options, request.title))


def _write(figure: MapFigure | HeatFigure | CurveFigure, sheet: Sheet, suffix: str, output: str) -> None:
    from smemdsl.output.plotting.draw import TooSmallError, drawn

    try:
        found = drawn(figure, sheet, suffix)
    except TooSmallError as error:
        raise ScenarioError([problem("plot", "plot", str(error), "--width gives it more")]) from None
    write_whole(output, found.data)
    if found.missing and suffix != ".svg":  # whoever shows an .svg has fonts of their own
        missing = printable(found.missing)
        say(
            f"note: no font that is installed has {missing}; an .svg leaves fonts to the reader\n", sys.stderr
        )
    say(f"wrote {printable(output)}\n", sys.stderr)
