"""`smemdsl expand`: the explicit scenario that a scenario stands for."""

from __future__ import annotations

import click

from smemdsl.cli import shell_completion
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.cli.options import SET_HELP, set_option
from smemdsl.cli.output import complain
from smemdsl.core import exit_codes
from smemdsl.core.errors import ScenarioError
from smemdsl.output.formats.explicit import explicit


@click.command(short_help="The explicit scenario that a file stands for.")
@click.argument("file", shell_complete=shell_completion.scenarios)
@set_option(SET_HELP)
def expand(file: str, settings: tuple[tuple[str, str], ...]) -> None:
    """Print the explicit scenario that FILE stands for, with nothing left to work out.

    Bytes, versions, alignments and live ranges are numbers; it packs to the same bytes. Of a program, this is
    what the compiler's rules make of it.

    \b
    Examples:
      smemdsl expand attention.yaml --set num_stages=3 > attention_3.yaml
      smemdsl expand builtin:epilogue | smemdsl pack -
    """
    batch = Batch([file])
    given = dict(settings)
    batch.check_flags(set=given)
    complain(batch.diagnostics)
    if not batch.scenarios or batch.diagnostics:
        raise SystemExit(exit_codes.INVALID)
    if len(batch.scenarios) > 1:
        raise click.UsageError(f"{file} holds {len(batch.scenarios)} scenarios; expand takes one")
    scenario = batch.scenarios[0]
    try:
        verdicts = scenario.verdicts_with(settings_of(scenario, given))
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None
    if any(verdict.plan.params != verdicts[0].plan.params for verdict in verdicts):
        names = ", ".join(verdicts[0].plan.filled)
        raise click.UsageError(f"{file} is filled to something else for each budget: --set {names}")
    complain(scenario.diagnose(verdicts[0].warnings))
    for line in explicit(scenario.spec, verdicts):
        click.echo(line)
