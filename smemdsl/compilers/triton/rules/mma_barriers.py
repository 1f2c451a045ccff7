"""Barriers of dots with tcgen05, in the arena.

A dot with tcgen05 runs by itself and is waited for by barriers of 8 B: two in a pipelined loop, as long as
the loop; one without stages, at the dot.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from smemdsl.compilers.triton.rules import alignment, liveness
from smemdsl.compilers.triton.rules.alignment import LEAST_ALIGN
from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.target import TCGEN05
from smemdsl.program.lowered import LoweredBuffer, Provenance
from smemdsl.program.rule import Rule

RULE = Rule(
    "lower-loops/mma-barriers",
    compiler="Triton",
    passes="tritongpu-pipeline (lowerLoops)",
    source="lib/Dialect/TritonGPU/Transforms/Pipeliner/LowerLoops.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_programs.jsonl, for sm_80 to sm_120",
)
BARRIER_BYTES = 8


def dot_barriers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """The barriers of every dot with tcgen05, as long as its loop; without stages, at its dot."""
    names = numbered("mma_barriers", kernel)
    why = RULE.because("a dot with tcgen05 is waited for by barriers")
    for dot in kernel.dots:
        place = dot.place
        number = barriers(place.num_stages, dot.kind)
        if number:
            pipelined = place.loop is not None and place.num_stages > 1
            span = (
                (place.loop.start, place.loop.end) if place.loop and pipelined else (place.start, place.end)
            )
            yield barrier_buffer(next(names), number, span, why)


def numbered(base: str, kernel: Kernel) -> Iterator[str]:
    """Names for derived buffers, apart from those that the file declares."""
    names = (base if number == 1 else f"{base}__{number}" for number in count(1))
    return (name for name in names if name not in kernel.buffers)


def barrier_buffer(name: str, number: int, span: tuple[int, int], why: Provenance) -> LoweredBuffer:
    """A buffer of so many barriers, live over these slots."""
    return LoweredBuffer(
        name,
        number,
        number * BARRIER_BYTES,
        LEAST_ALIGN,
        *span,
        Provenance(why.rule, f"{number} of {BARRIER_BYTES} B"),
        liveness.RULE.because(
            "as long as its loop" if span[1] - span[0] > 2 else "as long as what it waits for"
        ),
        alignment.RULE.because("the default"),
        why,
    )


def barriers(num_stages: int, kind: str) -> int:
    """8-byte barriers of a dot with tcgen05: two, to wait for one; one without stages."""
    if kind != TCGEN05:
        return 0
    return 2 if num_stages > 1 else 1
