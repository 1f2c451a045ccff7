"""Threads of the launch: a warp-specialised kernel has a producer's beside those of its source."""

from __future__ import annotations

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.warp_specialize import can_be_tma, is_producer, loop_statements
from smemdsl.program.statements import Copy, Loop
from smemdsl.program.walk import everything

GROUP = 128
"""Threads of a producer that issues TMA copies alone."""


def producer_threads(loop: Loop | None, kernel: Kernel) -> int:
    """Threads of the producer of a split loop; 0 where no loop is split.

    A warp group of 128; as many as the source has if the producer also runs an element-wise load, whose
    elements are spread over that many. As compiled in every configuration of `data/program_points.jsonl` and
    every kernel of `program/test_launch.py`, among them all with 64, 256, 384 and more threads.
    """
    if loop is None:
        return 0
    if kernel.threads is not None and _loads(loop):
        return kernel.threads
    return GROUP


def threads_in_doubt(loop: Loop, kernel: Kernel) -> bool:
    """Whether the producer may have as many threads as the source, and a program does not say.

    A copy without TMA in the split loop makes it so if its rows are not a multiple of 16 B, but not if it
    casts.
    """
    if kernel.threads in (None, GROUP) or _loads(loop):
        return False
    return any(isinstance(each, Copy) and not each.tma for each in everything(loop_statements(loop)))


def _loads(loop: Loop) -> bool:
    return any(is_producer(each) and not can_be_tma(each) for each in loop_statements(loop))
