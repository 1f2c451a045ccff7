"""A file that is there whole or not at all."""

from __future__ import annotations

import os
import tempfile

from smemdsl.core.errors import ScenarioError
from smemdsl.source.discovery import printable, problem


def write_whole(path: str, data: bytes) -> None:
    """Write a file at one stroke: until all of it is written, what was there stays.

    A link is followed. What is not a regular file (a pipe, a terminal) is written to as it is, and so is
    a file in a folder where none can be made.

    Raises:
        ScenarioError: it cannot be written.
    """
    try:
        target = os.path.realpath(path)
        if os.path.lexists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                stream.write(data)
        else:
            _replace(target, data)
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        message = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        raise ScenarioError([problem(printable(path), "unwritable", message)]) from None


def _replace(target: str, data: bytes) -> None:
    if os.path.exists(target):
        with open(target, "rb+"):  # a file that may not be written to is not replaced either
            pass
    try:
        descriptor, part = tempfile.mkstemp(prefix=".", suffix=".part", dir=os.path.dirname(target))
    except PermissionError:
        if not os.path.exists(target):
            raise
        with open(target, "wb") as stream:  # the file may be written to, its folder may not
            stream.write(data)
        return
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(part, _mode(target))
        os.replace(part, target)
    except BaseException:
        os.remove(part)
        raise


def _mode(target: str) -> int:
    """The rights of the file that is replaced, else those that a new file gets."""
    try:
        return os.stat(target).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
