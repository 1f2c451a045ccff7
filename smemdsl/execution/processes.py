"""Work on several cores or machines, by the interface of `concurrent.futures`, its results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from functools import partial
from itertools import chain
from multiprocessing.connection import wait
from typing import Any, NamedTuple, Protocol, TypeVar

from smemdsl.core.errors import InternalError

KnownT = TypeVar("KnownT")
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
MOST_DEATHS = 3
"""Times that the workers may die before the next result is there."""
AHEAD = 3
"""Items under way for each worker: enough that none waits, few enough to hold."""
_LOOK_EVERY = 1.0
"""Seconds of waiting between two looks at whether anybody works."""


class OrderedExecutor(Protocol):
    """Who does the work."""

    @property
    def size(self) -> int:
        """How many items they do at once."""

    def imap_ordered(
        self, work: Callable[[KnownT, ItemT], ResultT], known: KnownT, items: Iterable[ItemT]
    ) -> Generator[tuple[ItemT, ResultT], None, None]:
        """Each item with what became of it, in order.

        Args:
            work: What to do with an item; a function of a module.
            known: What a worker knows beforehand, and is told once.
            items: Taken as they are needed.
        """


class Processes(NamedTuple):
    """So many processes of this machine."""

    size: int

    def imap_ordered(
        self, work: Callable[[KnownT, ItemT], ResultT], known: KnownT, items: Iterable[ItemT]
    ) -> Generator[tuple[ItemT, ResultT], None, None]:
        """Each item with what became of it, in order."""
        start = partial(ProcessPoolExecutor, self.size, initializer=_begin, initargs=(known,))
        return imap_ordered(start, partial(_work, work), items, lambda: AHEAD * self.size)


_known: list[Any] = []
"""Of a worker, what it knows beforehand."""


def _begin(known: object) -> None:
    """A worker starts."""
    begin_worker()
    _known.append(known)


def _work(work: Callable[[Any, ItemT], ResultT], item: ItemT) -> ResultT:
    return work(_known[0], item)


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


def imap_ordered(
    start: Callable[[], Executor],
    work: Callable[..., ResultT],
    items: Iterable[ItemT],
    ahead: Callable[[], int],
    watch: Callable[[], object] = bool,
) -> Generator[tuple[ItemT, ResultT], None, None]:
    """Each item with what became of it, in order; about `ahead` of them are under way.

    When workers die, others do again what had no result yet.

    Args:
        start: Starts the workers.
        work: What to do with an item, after what the executor may put before it; the workers have to know it.
        items: Taken as they are needed.
        ahead: Items that are to be handed out before the first of them is back.
        watch: Called every second while nothing comes back; may raise what ends the waiting.

    Raises:
        InternalError: Workers died again and again at the same item.
    """
    executor = start()
    pending: deque[tuple[ItemT, Future[ResultT]]] = deque()
    deaths = 0
    coming: Iterator[ItemT] = iter(items)
    try:
        while True:
            try:
                most = ahead()
                while len(pending) < most and (item := next(coming, None)) is not None:
                    pending.append((item, Future()))  # known before it is handed out, should that fail
                    pending[-1] = item, executor.submit(work, item)
                if not pending:
                    return
                while not wait_for([pending[0][1]], _LOOK_EVERY).done:
                    watch()
                result = pending[0][1].result()
            except BrokenExecutor as error:
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise InternalError(
                        f"the workers died {deaths} times at the same piece of work"
                    ) from error
                executor.shutdown(wait=False)
                executor = start()
                coming = chain([item for item, _ in pending], coming)
                pending.clear()
                continue
            deaths = 0
            yield pending.popleft()[0], result
    finally:
        for _, future in pending:
            future.cancel()
        executor.shutdown(wait=not pending)  # else its thread may still be closing up when Python leaves
