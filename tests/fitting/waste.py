"""docs/waste.md: recorded kernels in which a compiler's arena is larger than optimal.

`python -m tests.fitting.waste` writes the page anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from smemdsl.core.buffers import Buffer, Bytes, Packing
from smemdsl.core.units import percent
from smemdsl.output.formats.tables import pipe_table
from smemdsl.packing.arithmetic import align_up
from smemdsl.packing.peak import peak
from smemdsl.policies import pack
from tests.packing.corpus import Record, records
from tests.recorded import rows

PAGE = Path(__file__).parents[2] / "docs" / "waste.md"
TIME_LIMIT = 10.0
"""Seconds for the proof of one kernel: each takes some milliseconds."""
MOST_SHOWN = 6
"""Kernels of one compiler of which every buffer is shown: those that waste the most."""

HEAD = """\
# What compilers waste

Kernels, recorded as TileLang 0.1.15 and Triton 3.9.0 compiled them, whose shared-memory arena is larger
than it need be. Buffers, live intervals and alignments are the compiler's own, taken from the pass that
places them; only the offsets differ. *Least* is what `smemdsl pack --policy optimal` finds and proves: no
placement of these intervals at these alignments is smaller. For TileLang it is rounded up as TileLang
rounds, so that the difference is placement alone.

Both place by a heuristic, and most kernels lose nothing. Where one does, the bytes may cost a block on
every SM or a pipeline stage. `smemdsl pack --policy tilelang --policy triton --policy optimal FILE` shows
the same of any scenario. `python -m tests.fitting.waste` writes this page from `tests/data`.
"""


class Waste(NamedTuple):
    """One kernel in which bytes are wasted."""

    record: Record
    row: dict[str, Any]
    least: Packing
    arena: Bytes
    """The least arena, rounded as the compiler rounds."""

    @property
    def bytes(self) -> Bytes:
        """What is wasted."""
        return self.record.total - self.arena


def wasted(stem: str, policy: str) -> Iterator[Waste]:
    """The kernels of a file that take more than they need, those that waste the most first."""
    found = [
        _waste(record, row, policy) for record, row in zip(records(stem, policy), rows(stem), strict=True)
    ]
    return iter(
        sorted((one for one in found if one.bytes > 0), key=lambda one: (-one.bytes, one.record.label))
    )


def _waste(record: Record, row: dict[str, Any], policy: str) -> Waste:
    least = pack("optimal", record.buffers, record.align, time_limit=TIME_LIMIT)
    if not least.proved:
        raise AssertionError(f"{record.label}: {least.arena} B, at least {least.lower_bound} B")
    single = len(record.buffers) == 1  # which TileLang leaves alone
    arena = align_up(least.arena, record.align) if policy == "tilelang" and not single else least.arena
    return Waste(record, row, least, arena)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, stem, policy in (
        ("TileLang 0.1.15", "tilelang_plans", "tilelang"),
        ("Triton 3.9.0", "triton", "triton"),
    ):
        found = list(wasted(stem, policy))
        parts.append(f"## {title}\n\n{_summary(found, len(records(stem, policy)))}\n\n{_table(found)}\n")
        parts += [_details(one) for one in found[:MOST_SHOWN]]
    return "\n".join(parts)


def _summary(found: list[Waste], recorded: int) -> str:
    most = max(found, key=lambda one: one.bytes / one.arena)
    return (
        f"{len(found)} of {recorded} recorded kernels; at most {most.bytes} B, "
        f"{percent(most.bytes, most.arena)} of what is needed."
    )


def _table(found: list[Waste]) -> str:
    headers = ["kernel", "arch", "arena B", "least B", "waste B", "%", "peak B", "highest buffer"]
    rows = [
        [
            _name(one),
            one.row["arch"],
            *map(str, (one.record.total, one.arena, one.bytes)),
            percent(one.bytes, one.arena).rstrip(" %"),
            str(peak(one.record.buffers).bytes),
            _highest(one.record.buffers, one.record.offsets),
        ]
        for one in found
    ]
    return pipe_table(headers, rows, 2)


def _name(one: Waste) -> str:
    options = " ".join(f"{name}={value}" for name, value in one.row.get("config", {}).items())
    return f"{one.row['source']} {one.row['kernel']} {options}".strip()


def _highest(buffers: list[Buffer], offsets: tuple[int, ...]) -> str:
    end, start, name = max((at + b.bytes, at, b.name) for b, at in zip(buffers, offsets, strict=True))
    return f"{name} at {start}..{end}"


def _details(one: Waste) -> str:
    """Every buffer with both offsets, for whoever wants to place them by hand."""
    record = one.record
    params = " ".join(f"{name}={value}" for name, value in one.row["params"].items())
    rows = [
        [b.name, str(b.bytes), str(b.align), f"[{b.start}, {b.end})", str(at), str(least)]
        for b, at, least in zip(record.buffers, record.offsets, one.least.offsets, strict=True)
    ]
    headers = ["buffer", "bytes", "align", "live", "offset", "least arena"]
    title = f"### {_name(one)}, {one.row['arch']}: {record.total} B for {one.arena} B"
    return f"{title}\n\n{params or 'default parameters'}\n\n{pipe_table(headers, rows)}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
