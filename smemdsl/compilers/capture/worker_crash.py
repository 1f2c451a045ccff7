"""What is worth telling of a worker that died: how, its last words, and where in the user's file it was."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

from smemdsl.compilers.capture.request import Failure
from smemdsl.compilers.capture.user_frame import at_line

_TAIL = 20
"""Lines of a dead worker's last words."""
_FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in .*')
_DUMP = re.compile(
    r"(Current thread|Thread) (0x|'s C stack).*|Extension modules: .*|  Binary file .*"
    r"|  <(no Python frame|cannot get C stack).*|  \.\.\."
)
"""Lines of a dump of Python's `faulthandler` that are no frame, and say nothing of the user's file."""


def death(code: int, log: str, file: str) -> Failure:
    """The failure of a kernel that took the worker with it.

    Args:
        code: of the exit; the negative number of a signal.
        log: what the worker printed.
        file: the user's.
    """
    path = str(Path(file).resolve())
    words = [line for line in log.strip().splitlines() if line.strip() and not _DUMP.fullmatch(line)]
    frames = [(found["file"], int(found["line"])) for found in map(_FRAME.fullmatch, words) if found]
    kept = list(_without_frames_of_others(words, path))
    failure = Failure("capture-crash", "\n".join([f"the worker ended with {_how(code)}", *kept[-_TAIL:]]))
    line = next((line for where, line in frames if where == _dumped(path)), None)
    return failure if line is None else at_line(failure, path, line, None)


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:  # a real-time signal has no name
        return f"signal {-code}"


def _without_frames_of_others(words: list[str], path: str) -> Iterator[str]:
    for line in words:
        found = _FRAME.fullmatch(line)
        if found is None or found["file"] == _dumped(path):
            yield line


def _dumped(path: str) -> str:
    """A path as `faulthandler` writes it."""
    return path.encode("ascii", "backslashreplace").decode()
