"""What compilers allocated, from `tests/data`.

`tilelang_plans`, `tilelang_no_reuse` and `triton` are public kernels lowered by TileLang 0.1.15 and Triton
3.9.0 on a CPU; a repeated name got a suffix. `tilelang_random` and `triton_random` are straight-line kernels
with random lives, sizes and alignments, handed to the compilers' own passes (tl.MergeSharedMemoryAllocations,
allocate-shared-memory). A buffer is [name, bytes, align, start, end, offset]; without reuse it has no life.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdsl.core.buffers import Buffer
from tests.recorded import rows


class Record(NamedTuple):
    """One allocation by a compiler."""

    label: str
    policy: str
    align: int
    buffers: list[Buffer]
    offsets: tuple[int, ...]
    total: int
    passes: int
    """How often Triton moved buffers apart; 0 where that was not recorded."""


def records(stem: str, policy: str) -> list[Record]:
    """The records of a file that a policy made."""
    found = [_record(f"{stem}-{number}", policy, row) for number, row in enumerate(rows(stem))]
    return [record for record in found if record.policy == policy]


def _record(label: str, policy: str, row: dict[str, Any]) -> Record:
    buffers = [Buffer(*b[:3], *(b[3:5] if len(b) == 6 else (0, 1))) for b in row["buffers"]]
    return Record(
        row.get("id", label),
        row.get("policy", policy),
        row.get("align", 16),
        buffers,
        tuple(b[-1] for b in row["buffers"]),
        row["total"],
        row.get("passes", 0),
    )
