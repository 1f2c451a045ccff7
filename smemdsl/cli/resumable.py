"""A file that is there whole or not at all, and a run that can go on where it broke off.

What is written goes to FILE.part; beside it, FILE.part.json says after each chunk how much of it is safe and
what has been counted. When all is written, FILE.part becomes FILE at one stroke. Until then FILE.part is
locked, where the system can do that: two runs would write over one another.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import Any, NamedTuple

from smemdsl._version import __version__
from smemdsl.cli.file_lock import LOCKS, TakenError, opened
from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.source.discovery import printable, problem
from smemdsl.sweeping import Tally


class RunState(NamedTuple):
    """How far a run has come."""

    chunks: int
    size: int
    """Configurations in them."""
    rows: int
    words: dict[str, int]
    skipped: int
    untold: int
    diagnostics: tuple[Diagnostic, ...]


def written(path: str) -> tuple[str, str, str]:
    """What is written where a file is wanted: the file it leads to, what there is of it, how far it goes."""
    if os.path.islink(path):
        path = os.path.realpath(path)
    return path, f"{path}.part", f"{path}.part.json"


START = RunState(0, 0, 0, {}, 0, 0, ())


class Resumable:
    """A file under way."""

    def __init__(self, path: str, key: str, *, resume: bool) -> None:
        """Begin, or with `resume` go on after what is safe, if there is anything.

        Args:
            path: The file that is wanted.
            key: What the run is about; one about something else does not go on here.
            resume: Whether to go on.

        Raises:
            ScenarioError: the file cannot be written, or what is there belongs to another run.
        """
        self.path, self.part, self._journal = written(path)
        if os.path.lexists(path) and not os.path.isfile(path):
            raise self._problem(
                "is not a regular file, and would be replaced", "leave out --output, and redirect stdout"
            )
        self._key = sha256(f"{__version__}\n{key}".encode()).hexdigest()
        self.note = self._anew() if resume else ""
        """What is said of a run that cannot go on, though something is there."""
        try:
            self._stream = opened(self.part)
        except TakenError:
            raise self._problem("another sweep is writing it", "wait for it, or stop it") from None
        except OSError as error:
            raise self._problem(f"cannot be written: {error.strerror}") from None
        try:
            self._bytes, self.state = self._safe() if resume and not self.note else (0, START)
        except ScenarioError:
            self.close()
            raise
        self._stream.truncate(self._bytes)
        self._stream.seek(self._bytes)

    def _anew(self) -> str:
        """Why there is nothing to go on with; empty where there is, or where nothing is there at all."""
        part, journal = os.path.exists(self.part), os.path.exists(self._journal)
        if part and journal:
            return ""
        if part or journal:
            return f"nothing of {printable(self.part)} is safe: the sweep starts over"
        if os.path.exists(self.path):
            return f"{printable(self.path)} is finished: the sweep starts over"
        return ""

    def _safe(self) -> tuple[int, RunState]:
        """How many bytes are safe, and how far they go."""
        try:
            with open(self._journal, encoding="utf-8") as stream:
                journal = json.load(stream)
            whole = os.path.getsize(self.part) >= journal["bytes"]
        except FileNotFoundError:
            return 0, START
        except (OSError, ValueError):
            whole = False
        if not whole:
            hint = "leave out --resume to start over"
            raise self._problem("what is there of it cannot be read", hint)
        if journal["key"] != self._key:
            raise self._problem(
                "what is there of it is of another sweep, or of another version of smemdsl",
                "repeat the command as it was, or leave out --resume to start over",
            )
        if not journal["state"]["chunks"]:
            return 0, START
        diagnostics = tuple(Diagnostic(*fields) for fields in journal["diagnostics"])
        return journal["bytes"], RunState(**journal["state"], diagnostics=diagnostics)

    def _problem(self, message: str, hint: str = "") -> ScenarioError:
        return ScenarioError([problem(printable(self.path), "output", message, hint)])

    @property
    def size(self) -> int:
        """Bytes that have been written, in this run and those before it."""
        return self._bytes

    def write(self, data: bytes) -> None:
        """Write what will be safe with the next `keep`."""
        self._stream.write(data)
        self._bytes += len(data)

    def keep(self, state: RunState, size: int) -> None:
        """Make safe what has been written, and that its first `size` bytes go so far."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        fields = state._asdict()
        journal: dict[str, Any] = {
            "key": self._key,
            "bytes": size,
            "diagnostics": fields.pop("diagnostics"),
        }
        with open(f"{self._journal}.new", "w", encoding="utf-8") as stream:
            json.dump(journal | {"state": fields}, stream)
        os.replace(f"{self._journal}.new", self._journal)
        self.state = state

    def finish(self) -> None:
        """Give the file its name."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        if not LOCKS:  # an open file may not be moved there
            self.close()
        os.replace(self.part, self.path)
        self._forget()
        self.close()

    def discard(self) -> None:
        """Take away what is there of it, none of which is of use."""
        if not LOCKS:
            self.close()
        os.remove(self.part)
        self._forget()
        self.close()

    def _forget(self) -> None:
        if os.path.exists(self._journal):
            os.remove(self._journal)

    def close(self) -> None:
        """Let go of the file, as it is."""
        self._stream.close()


def restored(state: RunState, tally: Tally) -> None:
    """Count what has been counted before."""
    earlier = Tally()
    earlier.words |= state.words
    earlier.skipped = state.skipped
    earlier.untold = state.untold
    earlier.diagnostics = list(state.diagnostics)
    tally.add(earlier)
