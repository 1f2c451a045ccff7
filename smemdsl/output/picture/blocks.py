"""The rectangles of an arena: what each buffer has, and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Bytes, Slot
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.verdict import Verdict
from smemdsl.output.picture.grid import FREE, Grid, grid_of
from smemdsl.packing.layout import StorageGroup, storage_groups


class Block(NamedTuple):
    """A buffer's place: `bytes` from `offset` on, over the slots [start, end)."""

    buffer: int
    """Its index in the lowered buffers."""
    name: str
    start: Slot
    end: Slot
    offset: Bytes
    bytes: Bytes
    versions: int
    group: int | None
    """Index of the storage group that it belongs to; None where it shares with nothing."""


class Space(NamedTuple):
    """Bytes of the arena that no buffer has over these slots."""

    start: Slot
    end: Slot
    offset: Bytes
    bytes: Bytes


class Picture(NamedTuple):
    """An arena. Blocks and spaces are disjoint, and fill it from the first time to the last."""

    blocks: tuple[Block, ...]
    """In file order; buffers of 0 bytes have none."""
    spaces: tuple[Space, ...]
    """By slot, then offset."""
    groups: tuple[StorageGroup, ...]
    """Who shares storage; `members` are indexes of buffers."""
    times: tuple[Slot, ...]
    """Slots at which something begins or ends; empty where there are no blocks."""
    arena: Bytes
    peak: Slot
    """The slot at which most bytes are live."""


def picture_of(plan: ArenaPlan) -> Picture:
    """The picture of a plan's arena."""
    buffers, offsets, arena = plan.lowered.buffers, plan.packing.offsets, plan.packing.arena
    groups = storage_groups(buffers, offsets)
    member = {index: number for number, group in enumerate(groups) for index in group.members}
    placed = zip(buffers, offsets, plan.lowered.versions, strict=True)
    blocks = tuple(
        Block(i, b.name, b.start, b.end, offset, b.bytes, versions, member.get(i))
        for i, (b, offset, versions) in enumerate(placed)
        if b.bytes
    )
    if not blocks:
        return Picture((), (), (), (), arena, plan.peak.slot)
    grid = grid_of(buffers, offsets, arena)
    return Picture(blocks, tuple(sorted(_spaces(grid))), groups, grid.times, arena, plan.peak.slot)


def budget_line(verdict: Verdict) -> Bytes:
    """The address of the arena at which the budget ends: static bytes count against it, too.

    It may lie above the arena's end, and where static bytes alone are too much below its beginning.
    """
    return verdict.budget.bytes - verdict.plan.lowered.static_bytes


def _spaces(grid: Grid) -> Iterator[Space]:
    """The free cells as rectangles: runs of a band, joined with those of the next band that are the same."""
    open_runs: dict[tuple[int, int], Bytes] = {}
    """First and end span of a run that goes on, and the offset at which it began."""
    rows: Sequence[Sequence[int]] = (*grid.owners, ())
    for address, row in zip(grid.addresses, rows, strict=True):
        runs = set(_runs(row))
        for run in [run for run in open_runs if run not in runs]:
            offset = open_runs.pop(run)
            yield Space(grid.times[run[0]], grid.times[run[1]], offset, address - offset)
        open_runs |= {run: address for run in runs if run not in open_runs}


def _runs(row: Sequence[int]) -> Iterator[tuple[int, int]]:
    begin = None
    for span, owner in enumerate((*row, None)):
        if owner == FREE and begin is None:
            begin = span
        elif owner != FREE and begin is not None:
            yield begin, span
            begin = None
