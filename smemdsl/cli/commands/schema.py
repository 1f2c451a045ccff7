"""`smemdsl schema`: the JSON Schema of a scenario."""

from __future__ import annotations

import click

from smemdsl.scenario.schema import schema_text


@click.command(short_help="The JSON Schema of a scenario.")
def schema() -> None:
    """Print the JSON Schema of a scenario, for editors and other checkers.

    \b
    Examples:
      smemdsl schema > scenario.schema.json
      # yaml-language-server: $schema=scenario.schema.json     as the first line of a scenario
    """
    click.echo(schema_text(), nl=False)
