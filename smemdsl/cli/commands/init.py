"""`smemdsl init`: a scenario to start from."""

from __future__ import annotations

import os

import click

from smemdsl.cli.atomic_write import write_whole
from smemdsl.cli.option_values import FileType
from smemdsl.cli.output import complain
from smemdsl.core import exit_codes
from smemdsl.core.errors import ScenarioError
from smemdsl.scenario.reading.budgets import DEFAULT_BUDGET
from smemdsl.source.discovery import builtin_root, printable, problem

_FORMS = ("plain", "epilogue", "carry", "gemm-tiles")


@click.command(short_help="A scenario to start from.")
@click.argument("file", required=False, type=FileType())
@click.option(
    "--form",
    type=click.Choice(_FORMS),
    default="epilogue",
    show_default=True,
    help="Which one to start from.",
)
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
def init(file: str | None, form: str, force: bool) -> None:
    """Write a starter scenario to FILE, or to stdout without one.

    Its first line names scenario.schema.json beside it for editors; `smemdsl schema` writes that file.

    \b
    Examples:
      smemdsl init kernel.yaml
      smemdsl schema > scenario.schema.json
      smemdsl init --form gemm-tiles > tiles.yaml
    """
    shipped = (builtin_root() / f"{form}.yaml").read_text(encoding="utf-8")
    text = shipped.replace("$schema=../schema/", "$schema=")
    text = text.replace(f"budget: {DEFAULT_BUDGET}", "budget: h100")  # what one block may have
    if file is None:
        click.echo(text, nl=False)
        return
    if os.path.lexists(file) and not force:
        complain([problem(printable(file), "exists", "the file already exists", "--force overwrites it")])
        raise SystemExit(exit_codes.INVALID)
    try:
        write_whole(file, text.encode())
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None
    click.echo(f"wrote {printable(file)}; next: smemdsl check {printable(file)}", err=True)
