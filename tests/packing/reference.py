"""The rules, written down as plainly as they can be, however slow; and brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from smemdsl.core.buffers import Buffer

Life = tuple[int, int]
ALL_TIME = (0, 2**64 - 1)


def align_up(offset: int, align: int) -> int:
    while offset % align:
        offset += 1
    return offset


def meet(one: Life, other: Life) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def life(buffer: Buffer) -> Life:
    return buffer.start, buffer.end


def clashing(buffers: Sequence[Buffer], offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of buffers that are live at once and share a byte."""
    spans = [(offset, offset + buffer.bytes) for offset, buffer in zip(offsets, buffers, strict=True)]
    pairs = combinations(range(len(buffers)), 2)
    return [(i, j) for i, j in pairs if meet(life(buffers[i]), life(buffers[j])) and meet(spans[i], spans[j])]


def is_valid(buffers: Sequence[Buffer], offsets: Sequence[int], arena: int) -> bool:
    """Whether a packing of buffers with sizes above 0 is right, by looking at every pair and every slot."""
    aligned = all(offset % buffer.align == 0 for offset, buffer in zip(offsets, buffers, strict=True))
    inside = all(o >= 0 and o + b.bytes <= arena for o, b in zip(offsets, buffers, strict=True))
    return aligned and inside and not clashing(buffers, offsets)


def peak(buffers: Sequence[Buffer]) -> tuple[int, int]:
    """The most bytes live at one slot, and the first such slot, by looking at every slot."""
    best = (0, 0)
    for slot in range(max((buffer.end for buffer in buffers), default=0)):
        total = sum(buffer.bytes for buffer in buffers if buffer.start <= slot < buffer.end)
        if total > best[0]:
            best = total, slot
    return best


def firstfit(buffers: Sequence[Buffer]) -> tuple[list[int], int]:
    """Largest first; try every aligned offset from 0."""
    offsets: dict[int, int] = {}
    for index in sorted(range(len(buffers)), key=lambda i: (-buffers[i].bytes, buffers[i].start, i)):
        size, align = buffers[index].bytes, buffers[index].align
        spans = [
            (o, o + buffers[i].bytes)
            for i, o in offsets.items()
            if meet(life(buffers[i]), life(buffers[index]))
        ]
        offset = 0
        while any(meet((offset, offset + size), span) for span in spans):
            offset += align
        offsets[index] = offset
    placed = [offsets[index] for index in range(len(buffers))]
    return placed, max((o + b.bytes for o, b in zip(placed, buffers, strict=True)), default=0)


def tilelang(buffers: Sequence[Buffer], align: int) -> tuple[list[int], int]:
    """Linear scan with a free list in order of offset, as the compiler walks it."""
    if len(buffers) == 1:
        return [0], buffers[0].bytes
    free: list[tuple[int, int]] = []
    offsets = [0] * len(buffers)
    live: list[int] = []
    top = 0
    for index in sorted(
        range(len(buffers)), key=lambda i: (buffers[i].start, -buffers[i].bytes, buffers[i].name)
    ):
        size, alignment = buffers[index].bytes, buffers[index].align
        for dead in [i for i in live if buffers[i].end <= buffers[index].start]:
            live.remove(dead)
            free = merged([*free, (offsets[dead], offsets[dead] + buffers[dead].bytes)])
        fitting = [(s, e) for s, e in free if align_up(s, alignment) + size <= e]
        if fitting:
            start, end = min(fitting, key=lambda block: block[1] - block[0] - size)
        elif free and free[-1][1] == top and align_up(free[-1][0], alignment) < top:
            start, end = free[-1]
        else:
            start = end = top
        offset = align_up(start, alignment)
        rest = [block for block in free if block != (start, end)]
        free = merged([*rest, (start, offset), (offset + size, max(end, offset + size))])
        top = max(top, offset + size)
        offsets[index] = offset
        live.append(index)
    return offsets, align_up(top, align)


def merged(blocks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Blocks in order, those that touch made one, empty ones dropped."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(block for block in blocks if block[0] < block[1]):
        if result and result[-1][1] >= start:
            result[-1] = result[-1][0], max(result[-1][1], end)
        else:
            result.append((start, end))
    return result


def triton(buffers: Sequence[Buffer]) -> tuple[list[int], int]:
    """Start offsets from a list of slots, then colouring, comparing everything with everything."""
    order = sorted(range(len(buffers)), key=lambda i: -buffers[i].bytes)
    offsets = triton_starts(buffers, order)
    while pairs := clashing(buffers, offsets):
        neighbours = {i: {j for pair in pairs if i in pair for j in pair if j != i} for i in order}
        colours: dict[int, int] = {}
        for i in order:
            colours[i] = min(set(range(len(order))) - {colours[j] for j in neighbours[i] if j in colours})
        for i in order:
            if colours[i]:
                offsets[i] = align_up(
                    max(offsets[j] + buffers[j].bytes for j in neighbours[i]), buffers[i].align
                )
    return offsets, max((o + b.bytes for o, b in zip(offsets, buffers, strict=True)), default=0)


def triton_starts(buffers: Sequence[Buffer], order: Sequence[int]) -> list[int]:
    """The first phase: slots (offset, interval) in order of offset, the older first."""
    slots: list[tuple[int, Life]] = [(0, ALL_TIME)]
    waiting = list(order)
    offsets = [0] * len(buffers)
    while waiting:
        offset, (start, end) = slots.pop(0)
        for index in waiting:
            mine = life(buffers[index])
            if meet(mine, (start, end)) and not any(meet(mine, interval) for _, interval in slots):
                break
        else:
            continue
        waiting.remove(index)
        offsets[index] = align_up(offset, buffers[index].align)
        slots.append((offsets[index] + buffers[index].bytes, (max(start, mine[0]), min(end, mine[1]))))
        if start < mine[0]:
            slots.append((offset, (start, mine[1])))
        if mine[1] < end:
            slots.append((offset, (mine[0], end)))
        slots.sort(key=lambda slot: slot[0])  # stable: a new one goes after those of equal offset
    return offsets
