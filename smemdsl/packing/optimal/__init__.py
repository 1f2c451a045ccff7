"""Policy `optimal`: the least arena that respects live ranges and alignments, with a proof.

First a bound: for each set of buffers live at once, the least height of a stack of them with its padding
(`stacking`): by dynamic programming over all combinations at once (`bands`, `ends`, `stock`, `trace`, with
prices from `rungs`) or one by one (`subsets`); with three alignments first by relaxations and stacks in their
patterns (`relaxed`, `lift`); else bounded and guided by a linear relaxation (`stack`, `closing`, `prices`,
`guided`, `reinsert`). Then placements: a few greedy ones
(`greedy`), annealing (`anneal`), and a branch and bound below a target height (`search`) that looks at
canonical placements only, started anew in many manners (`orders`); on large problems it is compiled where
numba is (`compiled`). Where the search exhausts a target, the bound rises. What fits wherever the others lie
is left out (`loose`), and what is independent is solved apart (`parts`).

The result is a function of the input, except for where the clock or Ctrl-C cuts the search short: more time
may give a smaller arena, a higher bound or other offsets, never a larger arena. A problem that is proved
within the limit gives the same offsets every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from smemdsl.core.buffers import Buffer, Bytes, Packing
from smemdsl.packing.arithmetic import highest_end
from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.job import Job
from smemdsl.packing.optimal.loose import loose, put_back
from smemdsl.packing.optimal.parts import Parts, split
from smemdsl.packing.peak import peak

__all__ = ["place", "unavoidable_padding"]


def place(buffers: Sequence[Buffer], align: Bytes, *, time_limit: float = 1.0) -> Packing:
    """Find the least arena there is, or the best in the time, and a bound that no arena can go below.

    Args:
        buffers: None of them of 0 bytes.
        align: The default alignment of the file; the least arena is not rounded, so it does not matter here.
        time_limit: Seconds after which the search stops. Ctrl-C stops it too. Both leave the best found so
            far, with `proved` False and the gap between `arena` and `lower_bound`.
    """
    del align
    clock = Clock(time_limit)
    least = peak(buffers).bytes
    waiting = loose(buffers, least)
    parts = split(buffers, sorted(set(range(len(buffers))) - set(waiting)))
    jobs = [Job(part) for part in parts.parts]
    with suppress(KeyboardInterrupt):
        _work(jobs, least, clock)
    by_index = _offsets(parts, jobs)
    put_back(buffers, by_index, waiting)
    offsets = tuple(by_index[index] for index in range(len(buffers)))
    arena, bound = highest_end(buffers, offsets), _lower_bound(jobs, least)
    return Packing(offsets, arena, bound, arena == bound)


def unavoidable_padding(buffers: Sequence[Buffer], packing: Packing) -> Bytes:
    """Bytes above the peak that no arena can do without: the price of alignment and of lives that interlock.

    What the arena has above this and the peak is waste that a better placement may avoid; with a proof
    there is none. 0 where the packing claims no bound.
    """
    return 0 if packing.lower_bound is None else packing.lower_bound - peak(buffers).bytes


def _work(jobs: list[Job], least: Bytes, clock: Clock) -> None:
    """Lower the highest part, again and again, until it meets the bound or the time is over."""
    while jobs and not clock.over():
        highest = max(jobs, key=lambda job: job.in_bytes(job.best.height))
        enough = _lower_bound(jobs, least)
        if highest.in_bytes(highest.best.height) <= enough:
            return
        highest.step(enough, clock)


def _lower_bound(jobs: Sequence[Job], least: Bytes) -> Bytes:
    return max([least, *(job.in_bytes(job.bound) for job in jobs)])


def _offsets(parts: Parts, jobs: Sequence[Job]) -> dict[int, Bytes]:
    """Of all buffers that do not wait, by index."""
    offsets = dict(parts.laid)
    for job in jobs:
        for index, offset in zip(job.part.indexes, job.best.offsets, strict=True):
            offsets[index] = job.in_bytes(offset)
    return offsets
