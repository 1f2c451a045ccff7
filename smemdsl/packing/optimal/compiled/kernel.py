"""The decisions of `moves` and `search` on arrays, for numba: no padding, states in a stack.

All compiled functions stand in this file: numba's cache looks at the file of the one that is called, only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba

from smemdsl.packing.optimal.state import FAR

Array = Any
"""Of numpy. Elements are machine numbers once compiled, which numpy's own types do not say."""
_Function = TypeVar("_Function", bound=Callable[..., Any])

OPEN, FOUND, FAILED = range(3)
"""How a run ends: at its limit, with a placement, with a proof that there is none."""
TARGET, OVERSHOOT, DEPTH, DEEPEST, LOW, HIGH = range(6)
"""Registers: the height allowed, the least that was cut off, frames now and at most, the failed window."""
_VOID = -1.0


class Shape(NamedTuple):
    """An instance. Lists of lists are one array with all of them and one with where each begins."""

    sizes: Array
    kinds: Array
    """Equal for exchangeable buffers."""
    first: Array
    last: Array
    set_begins: Array
    members: Array
    near_begins: Array
    near: Array


class Board(NamedTuple):
    """What changes: rows of `offsets`, `loads`, `floors`, `scores` are `State`s, `frames` leads to each."""

    offsets: Array
    loads: Array
    floors: Array
    scores: Array
    wanted: Array
    """As `members`, the most wanted first."""
    rank: Array
    slack: Array
    blame: Array
    at: Array
    frames: Array
    """Buffer fixed, and the window in which earlier decisions failed; empty windows are from FAR to -1."""
    registers: Array


def _internal(function: _Function) -> _Function:
    """Called by compiled code only: without what Python would need, which takes time to compile."""
    compiled: _Function = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def _entry(function: _Function) -> _Function:
    """Called by Python; kept on disk, where numba finds a place for it."""
    try:
        compiled: _Function = numba.njit(cache=True)(function)
    except RuntimeError:  # no folder that can be written to
        compiled = numba.njit(function)
    return compiled


@_internal
def _cut(board: Board, live_set: int, height: int) -> None:
    board.blame[live_set] += 1
    board.registers[OVERSHOOT] = min(board.registers[OVERSHOOT], height)


@_internal
def _mark(offset: int) -> int:
    """One bit for an offset: a set of them is quickly asked, and may say yes to one too many."""
    return 1 << offset % 61


@_internal
def _settle(shape: Shape, board: Board, depth: int, low: int, high: int, raised: int, weight: float) -> bool:
    target = board.registers[TARGET]
    for live_set in range(low, high):
        floor = board.floors[depth, live_set]
        if floor < FAR and _mark(floor) & raised:
            floor = FAR
            for place in range(shape.set_begins[live_set], shape.set_begins[live_set + 1]):
                floor = min(floor, board.offsets[depth, shape.members[place]])
            board.floors[depth, live_set] = floor
        elif board.scores[depth, live_set] != _VOID:
            continue
        if floor >= FAR:
            board.scores[depth, live_set] = FAR
            continue
        top = floor + board.loads[depth, live_set]
        if top > target:
            _cut(board, live_set, top)
            return False
        board.scores[depth, live_set] = weight * floor + board.slack[live_set] * (target - top + 1)
    return True


@_internal
def _choose(shape: Shape, board: Board, depth: int) -> int:
    live_set, least = 0, board.scores[depth, 0]
    for other in range(1, board.scores.shape[1]):
        if board.scores[depth, other] < least:
            live_set, least = other, board.scores[depth, other]
    if least >= FAR:
        return -1
    place = shape.set_begins[live_set]
    while board.offsets[depth, board.wanted[place]] != board.floors[depth, live_set]:
        place += 1
    return _lowest_below(shape, board, depth, int(board.wanted[place]))


@_internal
def _lowest_below(shape: Shape, board: Board, depth: int, index: int) -> int:
    while True:
        offset = board.offsets[depth, index]
        found, lowest = index, offset
        for place in range(shape.near_begins[index], shape.near_begins[index + 1]):
            other = shape.near[place]
            start = board.offsets[depth, other]
            if start > lowest or start + shape.sizes[other] > offset:
                continue
            if start < lowest or board.rank[other] < board.rank[found]:
                found, lowest = int(other), start
        if found == index:
            return index
        index = found


@_internal
def _fixed(shape: Shape, board: Board, depth: int, index: int, weight: float) -> bool:
    """Make the state above `depth`."""
    after = depth + 1
    for other in range(board.offsets.shape[1]):
        board.offsets[after, other] = board.offsets[depth, other]
    start = board.offsets[depth, index]
    top = start + shape.sizes[index]
    raised = _mark(start)
    board.offsets[after, index] = FAR
    first, last = shape.first[index], shape.last[index]
    low, high = first, last
    for place in range(shape.near_begins[index], shape.near_begins[index + 1]):
        other = shape.near[place]
        start = board.offsets[depth, other]
        if start < top:
            raised |= _mark(start)
            board.offsets[after, other] = top
            if top + shape.sizes[other] > board.registers[TARGET]:
                _cut(board, max(first, shape.first[other]), top + shape.sizes[other])
                return False
            low, high = min(low, shape.first[other]), max(high, shape.last[other])
    for live_set in range(board.loads.shape[1]):
        board.loads[after, live_set] = board.loads[depth, live_set]
        board.floors[after, live_set] = board.floors[depth, live_set]
        board.scores[after, live_set] = board.scores[depth, live_set]
    for live_set in range(first, last):
        board.loads[after, live_set] -= shape.sizes[index]
        board.scores[after, live_set] = _VOID
    return (
        _settle(shape, board, after, first, last, raised, weight)
        and _settle(shape, board, after, low, first, raised, weight)
        and _settle(shape, board, after, last, high, raised, weight)
    )


@_internal
def _postponed(shape: Shape, board: Board, depth: int, index: int, weight: float) -> bool:
    least, kind, size = FAR, shape.kinds[index], shape.sizes[index]
    begin, end = shape.near_begins[index], shape.near_begins[index + 1]
    for place in range(begin, end):
        other = shape.near[place]
        if board.offsets[depth, other] < FAR and shape.kinds[other] != kind:
            least = min(least, board.offsets[depth, other] + shape.sizes[other])
    if least >= FAR:
        return False
    if least + size > board.registers[TARGET]:
        _cut(board, shape.first[index], least + size)
        return False
    raised = _mark(board.offsets[depth, index])
    board.offsets[depth, index] = least
    for place in range(begin, end):
        other = shape.near[place]
        if board.offsets[depth, other] < FAR and shape.kinds[other] == kind:
            board.offsets[depth, other] = least
    return _settle(shape, board, depth, shape.first[index], shape.last[index], raised, weight)


@_internal
def _widened(shape: Shape, board: Board, depth: int, index: int, low: int, high: int) -> tuple[int, int]:
    """The window together with the `component` of a buffer."""
    start, end = int(shape.first[index]), int(shape.last[index])
    reach = -1
    while reach != start:
        reach = start
        for place in range(shape.set_begins[reach], shape.set_begins[reach + 1]):
            other = shape.members[place]
            if board.offsets[depth, other] < FAR:
                start = min(start, int(shape.first[other]))
    while reach != end:
        reach = end
        for place in range(shape.set_begins[reach - 1], shape.set_begins[reach]):
            other = shape.members[place]
            if board.offsets[depth, other] < FAR:
                end = max(end, int(shape.last[other]))
    return min(low, start), max(high, end)


@_internal
def _back(shape: Shape, board: Board, depth: int, low: int, high: int) -> int:
    """The latest frame that has to do with the window, -1 where there is none."""
    depth -= 1
    while depth >= 0:
        index = board.frames[depth, 0]
        if shape.first[index] < high and low < shape.last[index]:
            break
        depth -= 1
    return depth


@_entry
def advance(shape: Shape, board: Board, weight: float, steps: int) -> tuple[int, int]:
    """Go on for so many decisions at most: how it ends, and how many there were."""
    registers, frames = board.registers, board.frames
    depth, low, high = registers[DEPTH], registers[LOW], registers[HIGH]
    for step in range(steps):
        index = _choose(shape, board, depth)
        if index < 0:
            return FOUND, step + 1
        if _fixed(shape, board, depth, index, weight):
            board.at[index] = board.offsets[depth, index]
            frames[depth, 0], frames[depth, 1], frames[depth, 2] = index, low, high
            depth, low, high = depth + 1, FAR, -1
            registers[DEEPEST] = max(registers[DEEPEST], depth)
            continue
        low, high = _widened(shape, board, depth, index, low, high)
        while not _postponed(shape, board, depth, index, weight):
            depth = _back(shape, board, depth, low, high)
            if depth < 0:
                return FAILED, step + 1
            index = frames[depth, 0]
            low, high = _widened(shape, board, depth, index, frames[depth, 1], frames[depth, 2])
    registers[DEPTH], registers[LOW], registers[HIGH] = depth, low, high
    return OPEN, steps
