"""A list that stays in order, in chunks that are short enough to insert into."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from itertools import chain
from typing import Any, Generic, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])

CHUNK = 1000
"""Items that a chunk may have."""


class SortedList(Generic[T]):
    """Distinct items in order; to add, remove or find one takes hardly longer where there are many."""

    __slots__ = ("_bounds", "_chunks")

    def __init__(self) -> None:
        self._chunks: list[list[T]] = [[]]
        self._bounds: list[T] = []
        """For each chunk but the last, what none of its items is above and all of the next are."""

    def add(self, item: T) -> None:
        """Put an item where it belongs."""
        at = bisect_left(self._bounds, item) if self._bounds else 0
        chunk = self._chunks[at]
        insort(chunk, item)
        if len(chunk) > CHUNK:
            self._split(at)

    def insert(self, item: T) -> tuple[T | None, T | None]:
        """Put an item where it belongs, between the two that are returned."""
        at = bisect_left(self._bounds, item) if self._bounds else 0
        chunk = self._chunks[at]
        inside = bisect_left(chunk, item)
        before = chunk[inside - 1] if inside else None
        if before is None and at:
            before = self._chunks[at - 1][-1]
        after = chunk[inside] if inside < len(chunk) else None
        if after is None and at < len(self._bounds):
            after = self._chunks[at + 1][0]
        chunk.insert(inside, item)
        if len(chunk) > CHUNK:
            self._split(at)
        return before, after

    def _split(self, at: int) -> None:
        chunk = self._chunks[at]
        half = len(chunk) // 2
        self._chunks[at : at + 1] = [chunk[:half], chunk[half:]]
        self._bounds.insert(at, chunk[half - 1])

    def remove(self, item: T) -> None:
        """Drop an item that is there."""
        at = bisect_left(self._bounds, item) if self._bounds else 0
        chunk = self._chunks[at]
        del chunk[bisect_left(chunk, item)]
        if not chunk and self._bounds:
            del self._chunks[at]
            del self._bounds[min(at, len(self._bounds) - 1)]

    def since(self, key: tuple[Any, ...], most: int) -> list[T]:
        """The first items, so many at most, of those that are not below `key`."""
        at = bisect_left(self._bounds, key) if self._bounds else 0
        chunk = self._chunks[at]
        inside = bisect_left(chunk, key)
        found = chunk[inside : inside + most]
        while len(found) < most and at < len(self._bounds):
            at += 1
            found += self._chunks[at][: most - len(found)]
        return found

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._chunks)
