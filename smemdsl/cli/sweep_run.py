"""A sweep from its job to the answer: chunk by chunk onto stdout or into a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from smemdsl.cli.executors import connected_executor
from smemdsl.cli.output import complain, say
from smemdsl.cli.progress import Progress, announcement
from smemdsl.cli.resumable import START, Resumable, RunState, restored
from smemdsl.cli.streaming import blocks
from smemdsl.cli.sweep_workers import ChunkOutcome, SweepJob, outcomes
from smemdsl.core import exit_codes
from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.output.formats import FILES, FOR_PEOPLE, renderer
from smemdsl.output.formats.color import safe
from smemdsl.source.discovery import printable
from smemdsl.sweeping import Stream, SweepRow, Tally, rows
from smemdsl.sweeping.chunks import SweepChunk, count, seconds

if TYPE_CHECKING:
    from smemdsl.execution.processes import OrderedExecutor

_KEEP_EVERY = 1.0
"""Seconds of work that a crash may cost."""


class SweepRequest(NamedTuple):
    """How the answer is wanted."""

    pivot: str | None = None
    first: bool = False
    """Only the first row of each scenario that fits each budget."""
    jobs: int | None = None
    """Processes; None: what is worth it."""
    scheduler: str | None = None
    """Whose workers do it."""
    output: str | None = None
    """A file instead of stdout."""
    resume: bool = False


def announced(job: SweepJob) -> str:
    """What is said of a sweep that is very long, before it begins."""
    held = job.stream is None and job.style not in FILES
    return announcement(count(job.tasks), seconds(job.tasks), held=held)


def run(job: SweepJob, tally: Tally, request: SweepRequest) -> int:
    """Judge, and write row by row where the format allows it; the exit code."""
    known = len(tally.diagnostics)
    try:
        with connected_executor(request.scheduler, request.jobs) as executor:
            if request.output is None:
                _write(job, tally, request, executor, None)
            else:
                with closing(Resumable(request.output, repr(_key(job)), resume=request.resume)) as target:
                    if target.note:
                        say(f"note: {target.note}\n", sys.stderr)
                    _write(job, tally, request, executor, target)
                    target.finish()
    except ScenarioError as error:
        complain(error.diagnostics)
        return exit_codes.INVALID
    complain(tally.diagnostics[known:])
    if tally.untold:
        say(f"and {tally.untold:,} more errors of INVALID configurations\n", sys.stderr)
    return tally.exit_code()


def _write(
    job: SweepJob,
    tally: Tally,
    request: SweepRequest,
    executor: OrderedExecutor | None,
    target: Resumable | None,
) -> None:
    if job.stream is not None and not request.first:
        _Writer(job, job.stream, tally, target).run(request, executor)
        return
    try:
        _write_whole(job, tally, request, executor, target)
    except BaseException as error:
        if target is not None:
            target.discard()
            if isinstance(error, KeyboardInterrupt):
                say("interrupted: no rows are safe, since this answer needs them all\n", sys.stderr)
        raise


def _key(job: SweepJob) -> tuple[object, ...]:
    """What a run is about."""
    tasks = [(task.scenario.path, task.scenario.spec, *task[1:]) for task in job.tasks]
    return (tasks, job.table, job.style, job.fits_only)


def _write_whole(
    job: SweepJob,
    tally: Tally,
    request: SweepRequest,
    executor: OrderedExecutor | None,
    target: Resumable | None,
) -> None:
    """Write an answer that needs all its rows."""
    module = renderer(job.style)
    found = _first(job, tally) if request.first else _all(job, tally, request, executor)
    table = job.table
    pieces = (
        module.pivot(table, found, tally, request.pivot)
        if request.pivot
        else module.sweep(table, found, tally)
    )
    if job.style in FOR_PEOPLE:
        pieces = map(safe, pieces)
    if target is None and job.style == "text":
        for piece in pieces:
            say(piece, sys.stdout)
        return
    for block in pieces if job.style in FILES else blocks(pieces):
        _put(block, target)


def _put(text: str | bytes, target: Resumable | None) -> None:
    if target is None:
        click.echo(text, nl=False)
    else:
        target.write(text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace"))


def _first(job: SweepJob, tally: Tally) -> Iterator[SweepRow]:
    """Of each scenario the first row that fits each budget; what a constraint rules out is counted once."""
    for task in job.tasks:
        skipped = 0
        for budget in task.budgets:
            own = Tally()
            alone = task._replace(budgets=(budget,))
            yield from islice(rows(alone, job.table, own, verdicts=job.style == "json", fits_only=True), 1)
            skipped, own.skipped = max(skipped, own.skipped), max(0, own.skipped - skipped)
            tally.add(own)


def _all(
    job: SweepJob, tally: Tally, request: SweepRequest, executor: OrderedExecutor | None
) -> Iterator[SweepRow]:
    progress = Progress(count(job.tasks))
    done = found = 0
    try:
        with closing(outcomes(job, request.jobs, executor)) as coming:
            for chunk, outcome in coming:
                tally.add(outcome.tally)
                yield from outcome.rows
                done, found = done + chunk.size, found + outcome.number
                progress.show(done, found)
    finally:
        progress.clear()


class _Writer:
    """Writes an answer row by row."""

    def __init__(self, job: SweepJob, stream: Stream, tally: Tally, target: Resumable | None) -> None:
        self._job, self._stream, self._tally, self._target = job, stream, tally, target
        self._known = len(tally.diagnostics)
        """What was wrong before the sweep began."""
        self._safe = START, 0
        """How far the rows go that are written in full, and how long the file is there."""
        if target is not None:
            self._safe = target.state, target.size
        self._progress = Progress(count(job.tasks), wanted=target is not None or not sys.stdout.isatty())

    def run(self, request: SweepRequest, executor: OrderedExecutor | None) -> None:
        """Write all of it."""
        state, _ = self._safe
        restored(state, self._tally)
        self._progress.skip(state.size)
        if state.chunks == 0:
            _put(self._stream.head, self._target)
        try:
            with closing(outcomes(self._job, request.jobs, executor, state.chunks)) as coming:
                self._chunks(coming)
        except KeyboardInterrupt:
            self._progress.clear()
            say(f"interrupted: {self._kept()}\n", sys.stderr)
            raise
        except ScenarioError as error:
            raise ScenarioError([_hinted(item, self._kept()) for item in error.diagnostics]) from error
        finally:
            self._progress.clear()
        _put(self._stream.tail(self._tally), self._target)

    def _chunks(self, coming: Iterable[tuple[SweepChunk, ChunkOutcome]]) -> None:
        kept = monotonic()
        tally = self._tally
        for chunk, outcome in coming:
            before, _ = self._safe
            if outcome.number:
                _put((self._stream.between if before.rows else "") + outcome.text, self._target)
            tally.add(outcome.tally)
            state = RunState(
                before.chunks + 1,
                before.size + chunk.size,
                before.rows + outcome.number,
                dict(tally.words),
                tally.skipped,
                tally.untold,
                tuple(tally.diagnostics[self._known :]),
            )
            self._safe = state, 0 if self._target is None else self._target.size
            self._progress.show(state.size, state.rows)
            if self._target is not None and monotonic() - kept > _KEEP_EVERY:
                self._target.keep(*self._safe)
                kept = monotonic()

    def _kept(self) -> str:
        """Make safe what there is, and say so."""
        state, size = self._safe
        found = f"{state.rows:,} rows"
        if self._target is None:
            return f"{found} are written"
        self._target.keep(state, size)
        return f"{found} are safe in {printable(self._target.part)}; --resume continues from there"


def _hinted(diagnostic: Diagnostic, hint: str) -> Diagnostic:
    return diagnostic._replace(hint="; ".join(filter(None, (diagnostic.hint, hint))))
