"""Barriers of a warp-specialised kernel: static shared memory.

8 B for each barrier: a full and an empty one for each stage of each group of TMA copies in the loop, and one
for each TMA copy before it. Copies are one group if there are no element-wise loads and all of them have the
same first reader and the same last toucher; otherwise each copy is a group.
"""

from __future__ import annotations

from collections.abc import Sequence

from smemdsl.compilers.tilelang.rules.warp_specialize import is_producer, loop_statements
from smemdsl.core.buffers import Bytes
from smemdsl.core.units import counted
from smemdsl.program.lowered import StaticPart
from smemdsl.program.rule import Rule
from smemdsl.program.statements import Copy, Loop, Statement
from smemdsl.program.walk import reads, touches

RULE = Rule(
    "warp-specialize/barriers",
    compiler="TileLang",
    passes="ProducerConsumerWarpSpecialized, LowerSharedBarrier",
    source="src/cuda/transform/producer_consumer_ws.cc, src/cuda/transform/lower_shared_barrier.cc",
    since="0.1.15",
    evidence="all 94 recorded warp-specialised programs whose static bytes were kept",
)

BARRIER: Bytes = 8


def barriers(loop: Loop, preloaded: Sequence[Copy]) -> StaticPart:
    """8 * (2 * num_stages * G + P) bytes of barriers.

    G groups of TMA copies in the loop, P TMA copies before it. Held in all 94
    warp-specialised programs on record whose static bytes were kept.
    """
    groups = barrier_groups(loop)
    count = 2 * loop.num_stages * groups + len(preloaded)
    text = (
        f"{BARRIER} B * (2 * {counted(loop.num_stages, 'stage')} * {counted(groups, 'group')} of TMA copies"
        f" in loop {loop.name} + {counted(len(preloaded), 'TMA copy', 'TMA copies')} before it)"
    )
    return StaticPart("barriers", BARRIER * count, RULE.because(text))


def barrier_groups(loop: Loop) -> int:
    """The number of groups of TMA copies in the loop.

    One for each copy; or one together, if there are no element-wise loads and all copies have the same first
    reader and the same last toucher.
    """
    statements = loop_statements(loop)
    produced = [each for each in statements if is_producer(each)]
    copies = [each for each in produced if isinstance(each, Copy)]
    if len(copies) < len(produced):
        return len(copies)
    consumer = [each for each in statements if not is_producer(each)]
    return 1 if len({_span(copy.to, consumer) for copy in copies}) == 1 else len(copies)


def _span(name: str, consumer: Sequence[Statement]) -> tuple[int, int]:
    """First reader and the statement after the last toucher: where the compiler waits and signals."""
    touching = [index for index, each in enumerate(consumer) if name in touches(each)]
    reading = [index for index, each in enumerate(consumer) if name in reads(each)]
    if not touching:
        return 0, len(consumer)
    return (reading[0] if reading else 0), touching[-1] + 1
