"""The workers of a scheduler, however many there are at the moment."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError
from importlib import import_module
from time import monotonic
from typing import Any

from smemdsl.execution import processes
from smemdsl.execution.cluster.problems import failure, line
from smemdsl.execution.cluster.remote_task import RemoteTask, TaskExecutor
from smemdsl.execution.cluster.versions import versions
from smemdsl.execution.processes import ItemT, KnownT, ResultT

ENGINE_ERRORS = (
    CancelledError,
    ImportError,
    OSError,
    RuntimeError,
    asyncio.TimeoutError,  # no OSError in Python 3.10
    pickle.UnpicklingError,
)
"""What comes of an engine that fails, and of no work here."""
_COUNT_EVERY = 5.0
"""Seconds after which workers are counted anew."""


class Cluster:
    """An `OrderedExecutor` over the `concurrent.futures` executor of a Dask client."""

    def __init__(self, client: Any, patience: float) -> None:
        """`patience`: seconds to go on without any worker."""
        self._client, self._patience = client, patience
        self._size = 0
        self._counted = self._seen = monotonic()
        self._count()

    @property
    def size(self) -> int:
        """How many items they do at once; 1 when there is nobody."""
        if monotonic() - self._counted > _COUNT_EVERY:
            self._count()
        return max(self._size, 1)

    def _count(self) -> None:
        self._size = sum(self._client.nthreads().values())
        self._counted = monotonic()
        if self._size:
            self._seen = self._counted

    def _watch(self) -> None:
        """Wait no longer than is sensible for somebody to come."""
        self._count()
        if self._counted - self._seen > self._patience:
            raise failure(f"no worker is left, and none has come for {self._patience:g} s")

    def imap_ordered(
        self, work: Callable[[KnownT, ItemT], ResultT], known: KnownT, items: Iterable[ItemT]
    ) -> Generator[tuple[ItemT, ResultT], None, None]:
        """Each item with what became of it, in order.

        Raises:
            ScenarioError: the scheduler is gone, or there are no workers, or not the right ones.
        """
        killed = import_module("distributed").KilledWorker
        try:
            task = self._client.submit(RemoteTask, pickle.dumps(known), versions(), pure=False)
            yield from processes.imap_ordered(
                lambda: TaskExecutor(self._client.get_executor(pure=False), task),
                work,
                items,
                lambda: processes.AHEAD * self.size,
                self._watch,
            )
        except killed as error:
            raise failure("workers died again and again at the same piece of work") from error
        except ENGINE_ERRORS as error:
            lost = self._client.status != "running"
            raise failure("the scheduler is gone" if lost else f"work failed: {line(error)}") from error
