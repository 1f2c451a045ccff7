"""The least arena by looking at every order, and random instances; shares no code with the policy."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smemdsl.core.buffers import Buffer


def least_arena(buffers: Sequence[Buffer]) -> int:
    """Lay buffers from the bottom up in every order; what already reaches the best is not laid further."""
    best = sum(buffer.bytes + buffer.align for buffer in buffers)

    def lay(laid: list[tuple[Buffer, int]], left: list[Buffer], height: int) -> None:
        nonlocal best
        if height >= best:
            return
        if not left:
            best = height
            return
        for index, buffer in enumerate(left):
            tops = [top for other, top in laid if buffer.start < other.end and other.start < buffer.end]
            floor = max(tops, default=0)
            top = floor + -floor % buffer.align + buffer.bytes
            lay([*laid, (buffer, top)], left[:index] + left[index + 1 :], max(height, top))

    lay([], list(buffers), 0)
    return best


def small(random: Random, most: int) -> list[Buffer]:
    """Up to `most` buffers whose lives, sizes and alignments make ties, gaps and padding likely."""
    aligns = random.choice([(1,), (1, 2, 4), (4, 8), (16, 128, 1024), (3, 5)])
    sizes = random.choice([(1, 4), (1, 20), (16, 300), (500, 3000)])
    slots = random.choice([3, 6, 12])
    buffers = []
    for index in range(random.randint(1, most)):
        start = random.randrange(slots)
        end = random.randint(start + 1, slots + 1)
        buffers.append(Buffer(f"b{index}", random.randint(*sizes), random.choice(aligns), start, end))
    return buffers
