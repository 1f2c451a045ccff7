"""Every heuristic policy on 10 to 100,000 buffers, and how its time grows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import log

from benchmarks.measure import Line, function_seconds
from smemdsl.core.buffers import Buffer
from smemdsl.policies import pack

SIZES = (10, 100, 1_000, 10_000, 100_000)
LARGEST = 14
"""What the last step may cost: ten times the buffers, by n log n 12.5 times the time."""
POLICIES = ("tilelang", "sequential", "struct", "triton", "firstfit")


def run() -> Iterator[Line]:
    """One line a policy and size; the ratio is the growth over the size before, next to that of n log n."""
    for policy in POLICIES:
        before = 0.0
        for count in SIZES:
            buffers = instance(count)
            seconds = _seconds(policy, buffers)
            growth = f"x {seconds / before:.1f}" if before else ""
            ideal = f"n log n, x {10 * log(count) / log(count / 10):.1f}" if before else ""
            wanted = f"<= x {LARGEST}" if count == SIZES[-1] and policy != "triton" else ""
            yield Line(
                f"pack {policy}, {count} buffers", f"{seconds * 1e3:.3f} ms", "", growth, wanted, ideal
            )
            before = seconds


def _seconds(policy: str, buffers: list[Buffer]) -> float:
    repeat = max(1, 2_000 // len(buffers))
    runs = 3 if len(buffers) < SIZES[-1] else 1
    return function_seconds(lambda: [pack(policy, buffers, 16) for _ in range(repeat)], runs) / repeat


def instance(count: int) -> list[Buffer]:
    """Buffers as a long kernel has them: a dozen live at once, few of them large."""
    source = random.Random(count)
    buffers = []
    for i in range(count):
        start = source.randrange(count)
        size = source.choice((64, 128, 512, 2048, 4096, 8192, 16384, 32768)) * source.randrange(1, 4)
        buffers.append(
            Buffer(f"b{i}", size, source.choice((16, 128, 1024)), start, start + source.randrange(1, 24))
        )
    return buffers
