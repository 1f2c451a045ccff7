"""What native code prints. Runs in the worker."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TypeVar

T = TypeVar("T")
PRINTED = "SMEMDSL_PRINTED"
"""Environment variable: the file that holds what is being printed, for whoever finds the worker dead."""


def with_stderr(action: Callable[[], T]) -> tuple[T, str]:
    """The result of an action, and what it prints on the standard error of the process, from C++ too."""
    with _file() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            result = action()
        finally:
            os.dup2(before, 2)
            os.close(before)
        file.seek(0)
        return result, file.read().decode("utf-8", "replace")


@contextmanager
def _file() -> Iterator[IO[bytes]]:
    """An empty file, that is gone afterwards."""
    if (path := os.environ.get(PRINTED)) is None:
        with tempfile.TemporaryFile() as file:
            yield file
        return
    with open(path, "w+b") as file:
        try:
            yield file
        finally:
            os.truncate(path, 0)
