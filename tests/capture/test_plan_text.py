"""Reading TileLang's merge plan."""

from __future__ import annotations

import pytest

from smemdsl.compilers.tilelang.capture.plan_text import MergePlan, Planned, SymbolicError, parse_plan

PRINTED = """\
[14:21:56] : Debug: Liveness Analysis Results for Dynamic Shared Memory:
[14:21:56] : Debug:   Statement: tirx.For (scope_level: 1)
[14:21:56] : Debug:     GEN: A_s B_s
[14:21:56] : Debug: End of Liveness Analysis Results.
[14:21:56] : Debug: ArenaPlan (constant buffers): arena_size=98304
[14:21:56] : Debug:   C_s -> offset=0
[14:21:56] : Debug: Memory Allocation Plan for Dynamic Shared Memory:
[14:21:56] : Debug:   Total Merged Size (aligned): 98304
[14:21:56] : Debug:     Buffer: A_s start=5 end=19 alignment=1024 offset=0 size=49152
[14:21:56] : Debug:     Buffer: B_s start=5 end=19 alignment=1024 offset=49152 size=49152
[14:21:56] : Debug:     Buffer: C_s start=19 end=25 alignment=16 offset=0 size=32768
[14:21:56] : Debug: Memory Allocation Plan for Dynamic Shared Memory:
[14:21:56] : Debug:   Merged Buffer Name: buf_dyn_shmem
[14:21:56] : Debug:   Total Merged Size: 98304 bytes
[14:21:56] : Debug:     Buffer: C_s (Type: float16), Start Offset: 0, Size: 32768 bytes, End Offset: 32767
"""
"""What TileLang 0.1.15 prints of a GEMM on sm_90a."""


def test_plan() -> None:
    """Buffers come with bytes, alignment, half-open life and offset, in the compiler's order."""
    assert parse_plan(PRINTED) == MergePlan(
        (
            Planned("A_s", 49152, 1024, (5, 19), 0),
            Planned("B_s", 49152, 1024, (5, 19), 49152),
            Planned("C_s", 32768, 16, (19, 25), 0),
        ),
        98304,
    )


@pytest.mark.parametrize("text", ["", "[14:21:56] : Debug: something else", PRINTED.splitlines()[0]])
def test_no_plan(text: str) -> None:
    """A compiler that plans nothing, as of a single buffer, is not an error."""
    assert parse_plan(text) is None


@pytest.mark.parametrize("size", ["T.int64(2) * n", "n"])
def test_symbolic(size: str) -> None:
    """A size that is only known at run time is refused, not skipped."""
    with pytest.raises(SymbolicError, match="run time"):
        parse_plan(PRINTED.replace("size=32768", f"size={size}"))
