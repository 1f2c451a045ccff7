"""Policy sequential against the compiler with reuse disabled."""

from __future__ import annotations

import pytest

from smemdsl.core.buffers import Buffer
from smemdsl.policies import pack

from .corpus import Record, records

RECORDS = records("tilelang_no_reuse", "sequential") + records("tilelang_random", "sequential")


@pytest.mark.parametrize("layout", RECORDS, ids=lambda layout: layout.label)
def test_compiled_kernels(layout: Record) -> None:
    """Every offset and the total of a layout that TileLang made without reuse come out."""
    packing = pack("sequential", layout.buffers, layout.align)
    assert (packing.offsets, packing.arena) == (layout.offsets, layout.total)


def test_the_records_are_all_there() -> None:
    """The test above ran on all that was recorded."""
    assert len(RECORDS) == 16 + 34


def test_name_order_is_string_order() -> None:
    """Capitals first, digits by character: as TileLang 0.1.15 laid out these very names."""
    names = ["x10", "x9", "_a", "Z", "a", "a_", "aB"]
    sizes = [100, 100, 50, 50, 3, 3, 3]
    buffers = [Buffer(name, size, 16, 0, 1) for name, size in zip(names, sizes, strict=True)]
    packing = pack("sequential", buffers, 16)
    assert (packing.offsets, packing.arena) == ((176, 288, 64, 0, 128, 160, 144), 400)
