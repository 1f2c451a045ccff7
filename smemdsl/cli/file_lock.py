"""A file that one process alone writes to."""

from __future__ import annotations

import errno
import io
import os
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # not on this system
    LOCKS = False
else:
    LOCKS = True

_TAKEN = (errno.EACCES, errno.EAGAIN)
"""What POSIX lets `fcntl` answer where another process has the lock; anything else: no locks here."""


class TakenError(Exception):
    """Another process writes to the file."""


def opened(path: str) -> BinaryIO:
    """A file to be read and written, new or as it is, that stays this process's own until it is closed.

    The lock is one of `fcntl`, which ends with the process, however that ends, and is not handed on to those
    that it starts.

    Raises:
        TakenError: it is another process's.
        OSError: it cannot be opened.
    """
    while True:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        stream = io.BufferedWriter(io.FileIO(os.open(path, flags, 0o666), "r+"))
        try:
            _lock(stream)
            if not LOCKS or _leads_to(path, stream):
                return stream
        except TakenError:
            stream.close()
            raise
        stream.close()  # meanwhile its owner has given it its final name


def _lock(stream: BinaryIO) -> None:
    if not LOCKS:
        return
    try:
        fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            raise TakenError from None


def _leads_to(path: str, stream: BinaryIO) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False
