"""`docs/commands.md`: every command and option, from what `--help` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from docs.tools.console import ROOT
from smemdsl.cli import cli

PAGE = ROOT / "docs" / "commands.md"
HEAD = """\
# The commands

Every command and every option, as `--help` prints them; `python -m docs.tools` writes this page. What answers
look like is in [the tutorial](tutorial.md); formats for machines are in [In review and in CI](ci.md#formats).

stdout carries the answer alone, stderr the rest. Output is the same bytes whatever the order of files or the
number of processes.

| exit code | means |
|---|---|
| 0 | everything fits, or is expected not to, and every promise holds; of a sweep: at least one row fits |
| 1 | something is over budget, or a constraint or an expectation does not hold |
| 2 | wrong usage, or an input that cannot be read or is not valid |
| 3 | an error of smemdsl itself |

Completion of commands, options and presets in a shell:

```sh
eval "$(_SMEMDSL_COMPLETE=bash_source smemdsl)"      # bash, in ~/.bashrc
eval "$(_SMEMDSL_COMPLETE=zsh_source smemdsl)"       # zsh, in ~/.zshrc
_SMEMDSL_COMPLETE=fish_source smemdsl | source       # fish
```
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_commands(cli, "smemdsl", 2)])


def _commands(group: click.Group, path: str, level: int) -> Iterator[str]:
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        yield _command(command, f"{path} {name}", level)
        if isinstance(command, click.Group):
            yield from _commands(command, f"{path} {name}", level + 1)


def _command(command: click.Command, path: str, level: int) -> str:
    context = click.Context(command, info_name=path)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    parts = [f"{'#' * level} {path.removeprefix('smemdsl ')}\n", f"```text\n{usage}\n```\n"]
    parts += [f"{paragraph}\n" for paragraph in _paragraphs(command.help or "")]
    shown = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
    options = [record for param in shown if (record := param.get_help_record(context))]
    parts += [f"* `{names}`: {_prose(text)}" for names, text in options]
    return "\n".join(parts) + ("\n" if options else "")


def _paragraphs(text: str) -> Iterator[str]:
    """The help in Markdown: what click keeps line by line is a block, anything else prose."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.lstrip().startswith("\b"):
            title, _, rest = paragraph.lstrip("\b\n ").partition("\n")
            lines = "\n".join(line.strip() for line in rest.splitlines())
            language = "sh" if lines.startswith("smemdsl ") else "text"
            yield f"{title.strip()}\n\n```{language}\n{lines}\n```"
        else:
            yield _prose(" ".join(paragraph.split()))


def _prose(text: str) -> str:
    """Words of a help text, with what Markdown would take for its own kept as it is."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        piece if piece.startswith("`") else piece.replace("*", r"\*").replace("<", "&lt;") for piece in pieces
    )


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
