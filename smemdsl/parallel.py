"""Work on several cores or machines, by the interface of `concurrent.futures`, its results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import wait
from typing import TypeVar

from smemdsl.errors import InternalError

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST_DEATHS = 3
"""Times that the workers may die before the next result is there."""


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def begin_worker() -> None:
    """What a worker does first: leave interrupts to the process that it works for, and end with that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """A killed parent takes no leave, and its workers would wait for it for ever."""
    wait([sentinel])
    os._exit(1)


def ordered(
    start: Callable[[], Executor], work: Callable[[Item], Result], items: Iterable[Item], ahead: int
) -> Iterator[tuple[Item, Result]]:
    """Each item with what became of it, in order; at most `ahead` of them are under way.

    When workers die, others do again what had no result yet.

    Args:
        start: Starts the workers.
        work: What to do with an item; the workers have to know it.
        items: Taken as they are needed.
        ahead: Items that are handed out before the first of them is back.

    Raises:
        InternalError: Workers died again and again at the same item.
    """
    executor = start()
    pending: deque[tuple[Item, Future[Result]]] = deque()
    deaths = 0
    coming = iter(items)
    try:
        while True:
            try:
                while len(pending) < ahead and (item := next(coming, None)) is not None:
                    pending.append((item, Future()))  # known before it is handed out, should that fail
                    pending[-1] = item, executor.submit(work, item)
                if not pending:
                    return
                result = pending[0][1].result()
            except BrokenExecutor as error:
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise InternalError(
                        f"the workers died {deaths} times at the same piece of work"
                    ) from error
                executor.shutdown(wait=False)
                executor = start()
                pending = deque((item, executor.submit(work, item)) for item, _ in pending)
                continue
            deaths = 0
            yield pending.popleft()[0], result
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
