"""What workers know before they work: sent once, and read once by each."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from typing import Any

from smemdsl.execution.cluster.versions import versions


class RemoteTask:
    """Something pickled, for workers that run these versions."""

    def __init__(self, data: bytes, needed: Mapping[str, str]) -> None:
        self._data, self._needed = data, needed
        self._known: list[Any] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return RemoteTask, (self._data, self._needed)

    def known(self) -> Any:
        """What was pickled.

        Raises:
            ImportError: a worker came after versions had been compared, and has others.
        """
        if not self._known:
            own = versions()
            for name, needed in self._needed.items():
                if own[name] != needed:
                    raise ImportError(f"{name} is {needed} here, {own[name]} on a worker that came later")
            self._known.append(pickle.loads(self._data))
        return self._known[0]


def _work(task: RemoteTask, work: Callable[..., Any], *arguments: Any) -> Any:
    return work(task.known(), *arguments)


class TaskExecutor(Executor):
    """Workers that have their task: what it holds comes before the arguments of their work."""

    def __init__(self, executor: Any, task: Any) -> None:
        self._executor, self._task = executor, task

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand out work."""
        future: Future[Any] = self._executor.submit(_work, self._task, fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; cancel what is under way unless `wait`."""
        self._executor.shutdown(wait=wait)
