"""Options that several commands take, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from smemdsl.cli import shell_completion
from smemdsl.cli.option_values import AlignmentType, FileType, OutputFileType, SecondsType, SettingType
from smemdsl.output.formats import FORMATS, TABLES
from smemdsl.policies import policy_names

SET_HELP = (
    "Give a parameter a value in every scenario that has it: an integer, true, false, a dtype, an expression."
)
F = TypeVar("F", bound=Callable[..., Any])


def _once(ctx: click.Context, param: click.Parameter, pairs: Sequence[tuple[str, str]]) -> object:
    """The pairs of an option. Of two values the last counts: a suggestion can be pasted behind a command.

    A range or a list is not given up for another: who writes both wants both.
    """
    seen: dict[str, str] = {}
    for name, text in pairs:
        if name in seen and any("," in one or ".." in one for one in (seen[name], text)):
            raise click.UsageError(
                f"{param.opts[0]} gives {name} twice: {seen[name]} and {text}; write one of them", ctx
            )
        seen[name] = text
    return pairs


def set_option(help_text: str) -> Callable[[F], F]:
    """`--set name=value`, any number of times."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        type=SettingType(),
        metavar="NAME=VALUE",
        callback=_once,
        shell_complete=shell_completion.settings,
        help=help_text,
    )


def fill_option(command: F) -> F:
    """`--fill name=range`, any number of times."""
    return click.option(
        "--fill",
        "fills",
        multiple=True,
        type=SettingType(),
        metavar="NAME=RANGE",
        callback=_once,
        shell_complete=shell_completion.settings,
        help="Give a parameter the largest of these values that fits each budget, while those filled later "
        "are at their least: 1..16, or 2,4,8. --set overrides it.",
    )(command)


def model_options(command: F) -> F:
    """`--budget`, `--policy`, `--align` and `--time-limit`."""
    policy = click.option(
        "--policy",
        type=click.Choice(policy_names()),
        help="Pack by this policy instead of the file's; `smemdsl pack --help` says what each does.",
    )
    return _model_options(command, policy)


def comparing_options(command: F) -> F:
    """The same, with `--policy` any number of times."""
    policy = click.option(
        "--policy",
        "policies",
        multiple=True,
        type=click.Choice(policy_names()),
        help="Pack by this policy instead of the file's. Repeat it to see several side by side: arena, waste "
        "over what no arena can go below, blocks/SM, and the buffer at the top.",
    )
    return _model_options(command, policy)


def _model_options(command: F, policy: Callable[[Any], Any]) -> F:
    options = [
        click.option(
            "--budget",
            "budgets",
            multiple=True,
            metavar="BUDGET",
            shell_complete=shell_completion.budgets,
            help="Judge by this instead of the file's budget: a device (sm_90, h100, sm_90/sm), a size "
            "(100KiB) or an expression. Repeat it for several: one row each.",
        ),
        policy,
        click.option(
            "--align", type=AlignmentType(), help="Default alignment, in bytes, instead of the file's."
        ),
        click.option(
            "--time-limit",
            type=SecondsType(min=0),
            metavar="SECONDS",
            help="How long a policy that searches may take for one arena.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def jobs_option(command: F) -> F:
    """`--jobs`: processes to share the work."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of worker processes. Default: all cores if the work takes seconds.",
    )(command)


def scheduler_option(command: F) -> F:
    """`--scheduler`: machines to share the work."""
    return click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use the workers of a Dask scheduler (tcp://host:8786, tls://host:8786), or `local` for one on "
        "this machine with --jobs workers. Whoever reaches a scheduler can run code there: keep it in a "
        "trusted network, or use Dask's TLS settings. Needs smemdsl[cluster].",
    )(command)


def format_option(command: F) -> F:
    """`--format` of a table, and `--color`: what stdout carries."""
    option = click.option(
        "--format",
        "style",
        type=click.Choice(TABLES),
        default="text",
        show_default=True,
        help="How to print the answer.",
    )
    return option(color_option(command))


def rows_options(*styles: str) -> Callable[[F], F]:
    """`--output`, `--resume`, `--format` and `--color` of what comes row by row."""
    options = [
        click.option(
            "-o",
            "--output",
            type=FileType(dir_okay=False, allow_dash=True),
            metavar="FILE",
            help="Write the answer to a file, which is there when all of it is; - is stdout.",
        ),
        click.option(
            "--resume",
            is_flag=True,
            help="Go on where the same sweep into --output broke off: csv, json and jsonl can, without "
            "--pivot and --first, which need all rows at once or start over.",
        ),
        click.option(
            "--format",
            "style",
            type=click.Choice(styles),
            help="How to print the answer. Default: what the ending of --output says (.csv, .json, .jsonl, "
            ".md, .parquet, .txt), else text.",
        ),
        color_option,
    ]

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def output_options(*styles: str) -> Callable[[F], F]:
    """`--format`, `--output` and `--color`; of all formats where none is named."""
    known = styles or tuple(FORMATS)
    options = [
        click.option(
            "--format",
            "style",
            type=click.Choice(("auto", *known)),
            default="auto",
            show_default=True,
            help="How to print the answer. auto: text; under GitHub Actions annotations and a summary, too.",
        ),
        click.option(
            "--output",
            "outputs",
            multiple=True,
            type=OutputFileType(known),
            shell_complete=shell_completion.outputs(*known),
            metavar="FORMAT:FILE",
            help="Write the answer to a file as well; repeat it for several. FORMAT: may be left out where "
            "the ending says it (.csv, .json, .md, .sarif, .txt, .xml for junit).",
        ),
        color_option,
    ]

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def color_option(command: F) -> F:
    """`--color`, which the context keeps for whoever prints."""

    def keep(ctx: click.Context, param: click.Parameter, value: str) -> None:
        ctx.color = {"always": True, "never": False}.get(value)

    return click.option(
        "--color",
        type=click.Choice(("auto", "always", "never")),
        default="auto",
        show_default=True,
        expose_value=False,
        callback=keep,
        is_eager=True,
        help="Colour the text; auto: on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise.",
    )(command)
