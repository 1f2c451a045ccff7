"""Results in order, from workers that may die."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from smemdsl.core.errors import InternalError
from smemdsl.execution.processes import cores, imap_ordered


def square(number: int) -> int:
    """The work."""
    return number * number


def square_or_die(folder: Path, deaths: int, number: int) -> int:
    """The work, at which workers die: so often at the number 5."""
    if number == 5:
        left = list(folder.iterdir())
        if len(left) < deaths:
            (folder / str(len(left))).touch()
            os._exit(9)
    return number * number


def processes() -> Executor:
    """Two workers."""
    return ProcessPoolExecutor(2)


@pytest.mark.parametrize("ahead", [1, 2, 7, 100])
def test_results_are_in_order(ahead: int) -> None:
    """Each item comes back with its result, in the order of the items."""
    found = list(imap_ordered(partial(ThreadPoolExecutor, 3), square, range(20), lambda: ahead))
    assert found == [(number, number * number) for number in range(20)]


def test_items_are_taken_as_they_are_needed() -> None:
    """An endless supply does no harm: no more than `ahead` items are under way."""
    supply = count()
    results = imap_ordered(partial(ThreadPoolExecutor, 1), square, supply, lambda: 4)
    assert list(islice(results, 3)) == [(0, 0), (1, 1), (2, 4)]
    assert next(supply) == 6


def test_a_dead_worker_loses_nothing(tmp_path: Path) -> None:
    """What a worker had when it died is done again, once."""
    work = partial(square_or_die, tmp_path, 2)
    assert list(imap_ordered(processes, work, range(12), lambda: 4)) == [
        (number, number**2) for number in range(12)
    ]


def test_nothing_is_left_running() -> None:
    """With the last result the executor has closed up: Python would wake a thread that is just leaving."""
    before = set(threading.enumerate())
    assert list(imap_ordered(processes, square, range(3), lambda: 2)) == [(0, 0), (1, 1), (2, 4)]
    assert set(threading.enumerate()) == before


def test_work_that_kills(tmp_path: Path) -> None:
    """A piece of work at which workers die again and again ends the run."""
    results = imap_ordered(processes, partial(square_or_die, tmp_path, 99), range(12), lambda: 4)
    with pytest.raises(InternalError, match="the workers died 3 times at the same piece of work"):
        list(results)


def test_errors_of_the_work_come_through() -> None:
    """An exception of the work is raised where its result would have come."""
    results = imap_ordered(processes, partial(divmod, 1), [1, 0], lambda: 2)
    assert next(results) == (1, (1, 0))
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_cores() -> None:
    """There is at least the core that this runs on."""
    assert cores() >= 1
