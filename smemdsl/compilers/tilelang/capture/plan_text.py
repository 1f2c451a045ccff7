"""What TileLang prints of its merge plan with `tl.debug_merge_shared_memory_allocations`.

The format is that of `SharedMemoryRewriter::PlanMemory` in TileLang 0.1.15
(`src/transform/merge_shared_memory_allocations.cc`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BUFFER = re.compile(
    r"Buffer: (?P<name>\S+) start=(?P<start>\d+) end=(?P<end>\d+) alignment=(?P<align>\d+)"
    r" offset=(?P<offset>.+) size=(?P<size>.+)"
)
_TOTAL = re.compile(r"Total Merged Size \(aligned\): (?P<total>.+)")
_BEGIN = "Memory Allocation Plan for Dynamic Shared Memory"


class Planned(NamedTuple):
    """A buffer of a merge plan: bytes of all versions, and a half-open life in the compiler's positions."""

    name: str
    bytes: int
    align: int
    live: tuple[int, int]
    offset: int


class MergePlan(NamedTuple):
    """The plan of the dynamic shared memory of one kernel."""

    buffers: tuple[Planned, ...]
    total: int


class SymbolicError(ValueError):
    """A size or an offset in the plan is not a number."""


def parse_plan(text: str) -> MergePlan | None:
    """The plan in a compiler's output; None where it printed none.

    Raises:
        SymbolicError: the kernel has buffers whose size is only known at run time.
    """
    _, begin, rest = text.partition(_BEGIN)
    if not begin or (total := _TOTAL.search(rest)) is None:
        return None
    buffers = []
    for line in rest[total.end() :].splitlines()[1:]:
        if (found := _BUFFER.search(line)) is None:
            break
        live = (int(found["start"]), int(found["end"]))
        size, offset = _number(found["size"]), _number(found["offset"])
        buffers.append(Planned(found["name"], size, int(found["align"]), live, offset))
    return MergePlan(tuple(buffers), _number(total["total"]))


def _number(text: str) -> int:
    if not text.strip().isdecimal():
        raise SymbolicError(f"a size of the kernel's shared memory is only known at run time: {text.strip()}")
    return int(text)
