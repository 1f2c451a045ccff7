"""`smemdsl` and `python -m smemdsl`: runs a command, and turns whatever goes wrong into an exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import NoReturn

from smemdsl import exit_codes

_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""128 and the number of the signal, as shells have it."""


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    import click

    gc.set_threshold(200_000, 20, 20)  # no value here holds a cycle, and a batch keeps them all
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
    except click.ClickException as error:
        code = _wrong_usage(error)
    except BrokenPipeError:
        code = _PIPE_CLOSED
    except (KeyboardInterrupt, click.Abort):
        code = _INTERRUPTED
    except Exception as error:
        code = _crash(error)
    if code == _PIPE_CLOSED:  # nobody reads any more, also not what is still buffered
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _run() -> int:
    from smemdsl.cli import cli

    try:
        cli.main(prog_name="smemdsl", standalone_mode=False)
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    sys.stdout.flush()
    return code


def _wrong_usage(error: object) -> int:
    """A click exception as a diagnostic."""
    import click

    assert isinstance(error, click.ClickException)
    place = "smemdsl"
    hint = ""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        place = error.ctx.command_path
        hint = f"\n  hint: `{place} --help` shows the usage"
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return exit_codes.INVALID
    click.echo(f"{place}: error[usage] {error.format_message()}{hint}", err=True)
    return exit_codes.INVALID


def _crash(error: Exception) -> int:
    """An error of smemdsl itself: one line for the person, the whole story in a file to send along."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="smemdsl-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        log.write("".join(traceback.format_exception(error)))
    kind = type(error).__name__
    print(
        f"smemdsl: error[internal] {kind}: {error}\n  hint: please report this with {log.name}",
        file=sys.stderr,
    )
    return exit_codes.INTERNAL


if __name__ == "__main__":
    main()
