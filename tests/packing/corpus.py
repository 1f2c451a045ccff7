"""What compilers allocated, from `tests/data`.

`tilelang_plans`, `tilelang_no_reuse` and `triton` are public kernels lowered by TileLang 0.1.15 and Triton
3.9.0 on a CPU; a repeated name got a suffix. `tilelang_random` and `triton_random` are straight-line kernels
with random lives, sizes and alignments, handed to the compilers' own passes (tl.MergeSharedMemoryAllocations,
allocate-shared-memory). A buffer is [name, bytes, align, start, end, offset]; without reuse it has no life.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from smemdsl.core.buffers import Buffer

DATA = Path(__file__).parent.parent / "data"


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
    lines = (DATA / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [_record(f"{stem}-{number}", policy, json.loads(line)) for number, line in enumerate(lines)]
    return [row for row in rows if row.policy == policy]


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
