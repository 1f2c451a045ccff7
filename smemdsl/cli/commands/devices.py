"""`smemdsl devices`: the presets and their limits."""

from __future__ import annotations

import click

from smemdsl import devices as known
from smemdsl.cli import shell_completion
from smemdsl.cli.options import format_option
from smemdsl.cli.output import complain
from smemdsl.core import exit_codes
from smemdsl.core.errors import UnknownNameError
from smemdsl.source.discovery import problem


@click.command(short_help="The presets and their limits.")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=shell_completion.device_names)
@format_option
def devices(names: tuple[str, ...], style: str) -> None:
    """List the device presets and what they allow, or tell everything about those named, with sources.

    A preset is a compute capability or a product. Its bare name is what one block may ask for; /sm is what
    the SM has, /static what needs no opt-in. Values marked provisional rest on a source that is not the
    vendor's, or on sources that conflict.

    \b
    Examples:
      smemdsl devices
      smemdsl devices h100 rtx-4090
      smemdsl devices --format json | jq '.devices[].presets'
    """
    from smemdsl.output.formats import devices as render

    try:
        chosen = [known.resolve(name).device for name in names] or list(known.devices())
    except UnknownNameError as error:
        complain([problem("devices", "unknown-device", error.message, error.hint)])
        raise SystemExit(exit_codes.INVALID) from None
    if style == "text":
        out = "\n".join(map(render.details, chosen)) if names else render.text(chosen)
    else:
        out = {"json": render.as_json, "csv": render.as_csv, "markdown": render.markdown}[style](chosen)
    click.echo(out, nl=False)
