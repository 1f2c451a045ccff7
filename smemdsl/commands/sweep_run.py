"""A sweep from its job to the answer: chunk by chunk onto stdout or into a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice
from time import monotonic
from typing import NamedTuple

import click

from smemdsl import exit_codes
from smemdsl.commands.output import complain, say
from smemdsl.commands.progress import Progress
from smemdsl.commands.resumable import START, Resumable, State, restored
from smemdsl.commands.streaming import blocks
from smemdsl.commands.workers import Job, outcomes
from smemdsl.discovery import printable
from smemdsl.errors import ScenarioError
from smemdsl.render import FILES, renderer
from smemdsl.sweeping import Row, Stream, Tally, rows
from smemdsl.sweeping.chunks import count

_KEEP_EVERY = 1.0
"""Seconds of work that a crash may cost."""


class Wish(NamedTuple):
    """How the answer is wanted."""

    pivot: str | None = None
    first: bool = False
    """Only the first row that fits."""
    jobs: int | None = None
    """Processes; None: what is worth it."""
    output: str | None = None
    """A file instead of stdout."""
    resume: bool = False


def run(job: Job, tally: Tally, wish: Wish) -> int:
    """Judge, and write row by row where the format allows it; the exit code."""
    known = len(tally.diagnostics)
    try:
        if wish.output is None:
            _write(job, tally, wish, None)
        else:
            with closing(Resumable(wish.output, repr(_key(job)), resume=wish.resume)) as target:
                _write(job, tally, wish, target)
                target.finish()
    except ScenarioError as error:
        complain(error.diagnostics)
        return exit_codes.INVALID
    complain(tally.diagnostics[known:])
    return tally.exit_code()


def _write(job: Job, tally: Tally, wish: Wish, target: Resumable | None) -> None:
    if job.stream is None or wish.first:
        _write_whole(job, tally, wish, target)
    else:
        _Writer(job, job.stream, tally, wish, target).run()


def _key(job: Job) -> tuple[object, ...]:
    """What a run is about."""
    tasks = [(task.scenario.path, task.scenario.spec, *task[1:]) for task in job.tasks]
    return (tasks, job.table, job.style, job.fits_only)


def _write_whole(job: Job, tally: Tally, wish: Wish, target: Resumable | None) -> None:
    """Write an answer that needs all its rows."""
    module = renderer(job.style)
    found = _first(job, tally) if wish.first else _all(job, tally, wish)
    table = job.table
    pieces = (
        module.pivot(table, found, tally, wish.pivot) if wish.pivot else module.sweep(table, found, tally)
    )
    for block in pieces if job.style in FILES else blocks(pieces):
        _put(block, target)


def _put(text: str | bytes, target: Resumable | None) -> None:
    if target is None:
        click.echo(text, nl=False)
    else:
        target.write(text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace"))


def _first(job: Job, tally: Tally) -> Iterator[Row]:
    """The first row that fits."""
    whole = job.style == "json"
    tasks = job.tasks
    found = (rows(task, job.table, tally, verdicts=whole, fits_only=True) for task in tasks)
    return islice(chain.from_iterable(found), 1)


def _all(job: Job, tally: Tally, wish: Wish) -> Iterator[Row]:
    progress = Progress(count(job.tasks))
    done = found = 0
    try:
        for chunk, outcome in outcomes(job, wish.jobs):
            tally.add(outcome.tally)
            yield from outcome.rows
            done, found = done + chunk.size, found + outcome.number
            progress.show(done, found)
    finally:
        progress.clear()


class _Writer:
    """Writes an answer row by row."""

    def __init__(self, job: Job, stream: Stream, tally: Tally, wish: Wish, target: Resumable | None) -> None:
        self._job, self._stream, self._tally, self._target = job, stream, tally, target
        self._known = len(tally.diagnostics)
        """What was wrong before the sweep began."""
        self._wish = wish
        self._state = START if target is None else target.state
        self._progress = Progress(count(job.tasks), wanted=target is not None or not sys.stdout.isatty())

    def run(self) -> None:
        """Write all of it."""
        restored(self._state, self._tally)
        self._progress.skip(self._state.size)
        if self._state.chunks == 0:
            _put(self._stream.head, self._target)
        try:
            self._chunks()
        except KeyboardInterrupt:
            self._progress.clear()
            say(self._interrupted(), sys.stderr)
            raise
        finally:
            self._progress.clear()
        _put(self._stream.tail(self._tally), self._target)

    def _chunks(self) -> None:
        kept = monotonic()
        for chunk, outcome in outcomes(self._job, self._wish.jobs, self._state.chunks):
            if outcome.number:
                _put((self._stream.between if self._state.rows else "") + outcome.text, self._target)
            self._tally.add(outcome.tally)
            before = self._state
            self._state = State(
                before.chunks + 1,
                before.size + chunk.size,
                before.rows + outcome.number,
                self._tally.words,
                self._tally.skipped,
                tuple(self._tally.diagnostics[self._known :]),
            )
            self._progress.show(self._state.size, self._state.rows)
            if self._target is not None and monotonic() - kept > _KEEP_EVERY:
                self._target.keep(self._state)
                kept = monotonic()

    def _interrupted(self) -> str:
        """Make safe what there is, and say so."""
        found = f"interrupted: {self._state.rows:,} rows"
        if self._target is None:
            return f"{found} are written\n"
        self._target.keep(self._state)
        return f"{found} are safe in {printable(self._target.part)}; --resume goes on from there\n"
