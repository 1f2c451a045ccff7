"""What Triton prints of its allocation with LLVM's debug type `allocation-shared-memory`.

The format is that of `lib/Analysis/Allocation.cpp`, Triton 3.9: the buffers with the operation that makes
each, then `id size offset interval start end` lines whenever offsets were worked out, the last ones
final, then the total.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MADE = re.compile(r"-- buffer (?P<id>\d+); value: (?P<op>.*)")
_RANGE = re.compile(r"-- (?P<id>\d+) (?P<size>\d+) (?P<offset>\d+) interval (?P<start>\d+) (?P<end>\d+)$")
_TAG = "[allocation-shared-memory]"
_RANGES = "Dump bufferRange"
_TOTAL = re.compile(r"Allocated: (?P<total>\d+)")
_NAME = re.compile(r'(?:%\S+ = )?"?(?P<name>[\w.]+)')
_MEMDESC = re.compile(r"-> !ttg\.memdesc<(?P<shape>(?:\d+x)+)(?P<dtype>\w+), (?P<rest>.*)>")
_SWIZZLE = re.compile(r"#ttg\.nvmma_shared<\{swizzlingByteWidth = (\d+)")
_ALIGNMENT = re.compile(r"\balignment = (\d+)")
_GIVEN = "allocation.offset"
EXPLICIT = 16
"""Alignment of an allocation whose layout asks for no more."""
SCRATCH = 128
"""Of what an operation needs for its own use."""


class Made(NamedTuple):
    """A buffer of one allocation."""

    id: int
    op: str
    """The operation, as printed."""
    bytes: int
    offset: int
    live: tuple[int, int]

    @property
    def kind(self) -> str:
        """The operation's name without its dialect: local_alloc, convert_layout, reduce."""
        found = _NAME.match(self.op)
        return found["name"].rpartition(".")[2] if found else "buffer"

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Of what is allocated, all versions together; None of scratch."""
        if self.kind != "local_alloc" or (found := _MEMDESC.search(self.op)) is None:
            return None
        return tuple(int(size) for size in found["shape"].split("x") if size)

    @property
    def versions(self) -> int:
        """The leading extent of what has no initial value and holds tiles or barriers."""
        shape, found = self.shape, _MEMDESC.search(self.op)
        if shape is None or found is None or "local_alloc : ()" not in _without_attributes(self.op):
            return 1
        barrier = found["dtype"] == "i64" and len(shape) == 2 and shape[1] == 1
        return shape[0] if barrier or len(shape) > 2 else 1

    @property
    def what(self) -> str:
        """The operation and what it allocates, in short."""
        found = _MEMDESC.search(self.op)
        return f"{self.kind} {found['shape']}{found['dtype']}" if self.shape and found else self.kind

    @property
    def align(self) -> int:
        """What Triton aligns it to: its own attribute, its layout's, or the default of its kind.

        `LocalAllocOp::getAlignmentOrDefault`: an NVMMA layout asks for 128 B for each 16 B of swizzle.
        """
        if self.kind != "local_alloc":
            return SCRATCH
        if stated := _ALIGNMENT.search(self.op):
            return int(stated[1])
        if swizzle := _SWIZZLE.search(self.op):
            return 128 * max(1, int(swizzle[1]) // 16)
        return EXPLICIT


class Allocation(NamedTuple):
    """The shared memory of one function."""

    buffers: tuple[Made, ...]
    """In the order in which Triton takes them."""
    total: int


def parse_dump(text: str) -> list[Allocation]:
    """The allocations of a compilation's functions, in order, as they were when offsets were given.

    Later passes work them out again, with other estimates; the operations have their offsets by then.
    """
    return [found for found in _allocations(text) if not any(_GIVEN in b.op for b in found.buffers)]


def _allocations(text: str) -> Iterator[Allocation]:
    ops: dict[int, str] = {}
    ranges: dict[int, tuple[int, ...]] = {}
    open_op: int | None = None
    for line in text.splitlines():
        if made := _MADE.match(line):
            open_op = int(made["id"])
            ops[open_op] = made["op"]
        elif line.startswith(_TAG):
            open_op = None
            ranges = {} if _RANGES in line else ranges
        elif open_op is not None:
            ops[open_op] += f"\n{line}"  # of an operation with a region, such as a reduction
        elif found := _RANGE.match(line.strip()):
            number, *rest = map(int, found.groups())
            ranges[number] = tuple(rest)
        elif total := _TOTAL.match(line):
            buffers = [
                Made(i, ops.get(i, ""), size, offset, (a, b)) for i, (size, offset, a, b) in ranges.items()
            ]
            yield Allocation(tuple(buffers), int(total["total"]))
            ops, ranges = {}, {}


def _without_attributes(op: str) -> str:
    return re.sub(r"local_alloc \{[^}]*\} :", "local_alloc :", op)
