"""A sweep on one core or many: chunks go out, their rows come back in order."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.output.formats import renderer
from smemdsl.sweeping import Stream, SweepRow, SweepTable, Tally, Task, lines, rows
from smemdsl.sweeping.chunks import SweepChunk, chunks, part

if TYPE_CHECKING:
    from smemdsl.execution.processes import OrderedExecutor

WORTH = 12
"""Chunks from which on more than one core is used without being asked: three seconds of work."""


class SweepJob(NamedTuple):
    """What a worker knows beforehand."""

    tasks: tuple[Task, ...]
    table: SweepTable
    style: str
    grid: bool
    """The rows become a grid."""
    fits_only: bool

    @property
    def stream(self) -> Stream | None:
        """How rows are written one by one; None where the answer needs them all."""
        module = renderer(self.style)
        found: Stream | None = None
        if not self.grid and hasattr(module, "sweep_stream"):
            found = module.sweep_stream(self.table)
        return found


class ChunkOutcome(NamedTuple):
    """What became of a chunk."""

    text: str
    """Its rows as they are written, where that is one by one."""
    rows: Sequence[SweepRow]
    """Else the rows."""
    number: int
    tally: Tally


def outcomes(
    job: SweepJob, jobs: int | None, executor: OrderedExecutor | None = None, done: int = 0
) -> Generator[tuple[SweepChunk, ChunkOutcome], None, None]:
    """The chunks of a job and what became of each, in order, without the first `done`.

    Args:
        job: What to sweep.
        jobs: Processes; None: as many as there are cores, if there is enough to do.
        executor: Who else does the work.
        done: Chunks to leave out.
    """
    coming = islice(chunks(job.tasks, job.table), done, None)
    if executor is not None:
        return executor.imap_ordered(work, job, coming)
    first = list(islice(coming, WORTH if jobs is None else 2))
    everything = chain(first, coming)
    if jobs == 1 or len(first) < (2 if jobs else WORTH):
        return ((chunk, work(job, chunk)) for chunk in everything)
    from smemdsl.execution import processes

    return processes.Processes(jobs or processes.cores()).imap_ordered(work, job, everything)


def work(job: SweepJob, chunk: SweepChunk) -> ChunkOutcome:
    """The rows of a chunk."""
    tally = Tally()
    task = part(job.tasks, job.table, chunk)
    stream = job.stream
    if stream is None:
        found = list(rows(task, job.table, tally, fits_only=job.fits_only))
        return ChunkOutcome("", found, len(found), tally)
    texts = list(lines(task, job.table, tally, stream.line, fits_only=job.fits_only))
    return ChunkOutcome(stream.between.join(texts), (), len(texts), tally)
