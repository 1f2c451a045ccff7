"""The command line: a group that loads a command's module when the command is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from smemdsl._version import __version__
from smemdsl.core.did_you_mean import did_you_mean

COMMANDS = (
    "check", "pack", "sweep", "diff", "plot", "report", "expand", "capture", "devices", "schema", "init",
    "explain",
)  # fmt: skip
"""Names of the commands, in the order of the help; each is a function in a module of its name."""
_HELP_WIDTH = 100


class LazyGroup(click.Group):
    """Imports a command's module on first use, so that start-up pays for nothing else."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"smemdsl.cli.commands.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest command named where there is none."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"unknown command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _HELP_WIDTH},
    epilog="Exit codes: 0 fits; 1 over budget or an expectation failed; 2 wrong usage or bad input; "
    "3 an error of smemdsl itself.",
)
@click.version_option(__version__, prog_name="smemdsl")
def cli() -> None:
    """Does the kernel fit? Shared-memory budgets of pipelined GPU kernels, from a YAML file.

    \b
    smemdsl init > kernel.yaml     a scenario to start from
    smemdsl check kernel.yaml      does it fit
    smemdsl pack kernel.yaml       where each buffer lies
    smemdsl sweep kernel.yaml --max num_stages
    """
