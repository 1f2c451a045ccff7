"""`smemdsl` and `python -m smemdsl`: runs a command, and turns whatever goes wrong into an exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn, TextIO, cast

from smemdsl.core import exit_codes
from smemdsl.core.shown import indented, lines
from smemdsl.core.truncate import shortened

_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""128 and the number of the signal, as shells have it."""


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    try:
        code = _answered()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    sys.exit(code)


def _answered() -> int:
    """Run, and turn whatever goes wrong into an exit code."""
    import click

    from smemdsl.source import lazy_yaml_regex

    lazy_yaml_regex.allow()
    gc.set_threshold(200_000, 20, 20)  # no value here holds a cycle, and a batch keeps them all
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stderr = cast(TextIO, _Patient(sys.stderr))
    try:
        return _run()
    except click.ClickException as error:
        return _wrong_usage(error)
    except BrokenPipeError:  # nobody reads any more
        _drop_output()
        return _PIPE_CLOSED
    except click.Abort:
        return _INTERRUPTED
    except OSError as error:
        return _unwritable(error) if error.filename is None else _crash(error)
    except Exception as error:
        return _crash(error)


def _open_closed() -> None:
    """Occupy the place of a standard stream that is closed, which the next file opened would take.

    What is written to stdout then fails as on a full disk; what is written to stderr is lost.
    """
    if sys.stdout is None:
        sys.stdout = _stand_in(1, os.O_RDONLY)
    if sys.stderr is None:
        sys.stderr = _stand_in(2, os.O_WRONLY)


def _stand_in(descriptor: int, mode: int) -> TextIO:
    opened = os.open(os.devnull, mode)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    return io.TextIOWrapper(io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False)), encoding="utf-8")


class _Patient:
    """Standard error on a full disk or in a closed pipe: what cannot be said is not, the answer counts."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write what can be written."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """See to it, where that is possible."""
        with suppress(OSError):
            self._stream.flush()


def _run() -> int:
    from smemdsl.cli import cli

    try:
        cli.main(prog_name="smemdsl", standalone_mode=False)
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):  # click saw a closed pipe, and says 1
        raise BrokenPipeError
    sys.stdout.flush()
    return code


def _wrong_usage(error: object) -> int:
    """A click exception as a diagnostic; a help that nobody asked for as it is."""
    import click

    assert isinstance(error, click.ClickException)
    if type(error).__name__ == "NoArgsIsHelpError":  # newer versions of click raise it
        click.echo(error.format_message(), err=True)
        return exit_codes.INVALID
    place = "smemdsl"
    hint = ""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        place = error.ctx.command_path
        hint = f"\n  hint: `{place} --help` shows the usage"
    message = indented(lines(shortened(error.format_message())))
    click.echo(f"{place}: error[usage] {message}{hint}", err=True)
    return exit_codes.INVALID


def _unwritable(error: OSError) -> int:
    """The answer could not be written: the disk is full, the device is gone."""
    _drop_output()
    print(f"smemdsl: error[unwritable] cannot write the output: {error.strerror}", file=sys.stderr)
    return exit_codes.INVALID


def _crash(error: Exception) -> int:
    """An error of smemdsl itself: one line for the person, the whole story in a file to send along."""
    import tempfile
    import traceback

    story = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    hint = "please report this"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="smemdsl-", suffix=".log", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as log:
            log.write(story)
        hint += f" with {log.name}"
    except OSError:
        hint += f", with these lines:\n{story}"
    print(
        f"smemdsl: error[internal] {type(error).__name__}: {lines(str(error))}\n  hint: {hint}",
        file=sys.stderr,
    )
    return exit_codes.INTERNAL


def _drop_output() -> None:
    """Forget what is still buffered, which would fail again when Python leaves."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
