"""What native code prints. Runs in the worker."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def with_stderr(action: Callable[[], T]) -> tuple[T, str]:
    """The result of an action, and what it prints on the standard error of the process, from C++ too."""
    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            result = action()
        finally:
            os.dup2(before, 2)
            os.close(before)
        file.seek(0)
        return result, file.read().decode("utf-8", "replace")
