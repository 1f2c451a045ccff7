"""No command writes over what it reads, or twice over the same file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from stat import S_ISREG

from smemdsl.cli.output import complain
from smemdsl.core import exit_codes
from smemdsl.source.discovery import STDIN, Source, find, printable, problem


def refuse_overwriting(outputs: Sequence[str], inputs: Iterable[str | None]) -> None:
    """End the run, with exit code 2, where a file to be written is read as well, or is named twice.

    A link is the file it leads to, and so is another name of the same file. `inputs` may hold `-`.
    """
    if not outputs:
        return
    read = {_identity(file) for file in inputs if file is not None} - {None}
    wrong = []
    seen: set[object] = set()
    for file in outputs:
        identity = _identity(file)
        if identity in read:
            message = "is an input of this command and would be overwritten"
            wrong.append(problem(printable(file), "overwrites-input", message, "use a different --output"))
        elif identity in seen:
            message = "is named by two --output options"
            wrong.append(problem(printable(file), "same-output", message, "give each its own file"))
        seen |= {identity} - {None}
    if wrong:
        complain(wrong)
        raise SystemExit(exit_codes.INVALID)


def files_of(paths: Iterable[str]) -> list[str]:
    """The files that paths stand for, and those below folders; nothing for a path that names no file."""
    there = tuple(path for path in paths if os.path.exists(path))
    return [found.file for found in find(there) if isinstance(found, Source)]


def _identity(file: str) -> object:
    """What two names of one file have in common; None for what is not a regular file."""
    try:
        status = os.fstat(sys.stdin.fileno()) if file == STDIN else os.stat(file)
    except (OSError, ValueError, AttributeError):
        return None if file == STDIN else os.path.realpath(file)
    return (status.st_dev, status.st_ino) if S_ISREG(status.st_mode) else None
