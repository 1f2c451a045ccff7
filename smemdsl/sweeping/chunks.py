"""A sweep in pieces that one core works off in about a quarter of a second, always cut the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from smemdsl.scenario.spec import Axis, Choice
from smemdsl.sweeping.model import SweepTable, Task

_SECONDS = 0.25
"""What a chunk takes, about."""
_BUFFERS = 64_000
"""Buffers that are packed in that time."""
_PROGRAMS = 200
"""Programs that are lowered in that time."""
_SEARCHES = 4
"""Arenas that a policy which searches may want to show in between."""


class SweepChunk(NamedTuple):
    """Consecutive configurations of one task."""

    task: int
    """Which."""
    given: tuple[Choice, ...]
    """Values of its first axes."""
    start: int
    """The first value of the axis after those, or the first configuration; the other axes are whole."""
    stop: int
    size: int
    """Configurations."""


def chunks(tasks: Sequence[Task], table: SweepTable, most: int | None = None) -> Iterator[SweepChunk]:
    """All configurations of all tasks, in order; `most` in a chunk where the axes allow it."""
    for index, task in enumerate(tasks):
        yield from _of_task(index, task, table, most or _most(task))


def _of_task(index: int, task: Task, table: SweepTable, most: int) -> Iterator[SweepChunk]:
    if task.configs:
        yield from _slices(index, (), len(task.configs), most, 1)
        return
    axes = loop_order(task, table)
    lengths = [len(axis.values) for axis in axes]
    divisible = len(axes) - (table.largest is not None)
    if not divisible:  # the only axis is the one whose largest value is wanted
        yield SweepChunk(index, (), 0, lengths[0], lengths[0])
        return
    depth = next((i for i in range(divisible) if prod(lengths[i + 1 :]) <= most), divisible - 1)
    for given in _choices(axes[:depth]):
        yield from _slices(index, given, lengths[depth], most, prod(lengths[depth + 1 :]))


def _choices(axes: Sequence[Axis]) -> Iterator[tuple[Choice, ...]]:
    """Every combination; unlike itertools.product it holds no axis in memory."""
    if not axes:
        yield ()
        return
    for value in axes[0].values:
        for rest in _choices(axes[1:]):
            yield (value, *rest)


def _slices(task: int, given: tuple[Choice, ...], length: int, most: int, inner: int) -> Iterator[SweepChunk]:
    step = max(1, most // max(inner, 1))
    for start in range(0, length, step):
        stop = min(start + step, length)
        yield SweepChunk(task, given, start, stop, (stop - start) * inner)


def _most(task: Task) -> int:
    """Configurations of a chunk."""
    spec = task.scenario.spec
    if (task.options.policy or spec.policy) == "optimal":
        return _SEARCHES
    return _PROGRAMS if spec.program is not None else _BUFFERS // (1 + len(spec.buffers))


def loop_order(task: Task, table: SweepTable) -> tuple[Axis, ...]:
    """The axes, that of the largest value last."""
    return tuple(sorted(task.axes, key=lambda axis: axis.name == table.largest))


def part(tasks: Sequence[Task], table: SweepTable, chunk: SweepChunk) -> Task:
    """The task of a chunk."""
    task = tasks[chunk.task]
    if task.configs:
        return task._replace(configs=task.configs[chunk.start : chunk.stop])
    axes = loop_order(task, table)
    depth = len(chunk.given)
    names = [axis.name for axis in axes[:depth]]
    fixed = {**task.fixed, **dict(zip(names, chunk.given, strict=True))}
    cut = Axis(axes[depth].name, axes[depth].values[chunk.start : chunk.stop])
    return task._replace(axes=(cut, *axes[depth + 1 :]), fixed=fixed)


def count(tasks: Sequence[Task]) -> int:
    """Configurations of all tasks."""
    return sum(map(_size, tasks))


def seconds(tasks: Sequence[Task]) -> float:
    """About how long one core takes at most."""
    return sum(_SECONDS * _size(task) / _most(task) for task in tasks)


def _size(task: Task) -> int:
    return len(task.configs) or prod(len(axis.values) for axis in task.axes)
