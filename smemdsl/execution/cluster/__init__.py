"""Work on machines that Dask distributed brings together, by the interface that processes have.

A job goes to the scheduler once, as a task of its own. Workers take it from there and from one another, also
those that come later; when all that have it die, it is made anew.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import resource_tracker
from typing import Any

from smemdsl.execution import processes
from smemdsl.execution.cluster.executor import ENGINE_ERRORS, Cluster
from smemdsl.execution.cluster.problems import failure, line
from smemdsl.execution.cluster.versions import compare
from smemdsl.source.discovery import printable

LOCAL = "local"
"""Stands for a cluster of this machine's cores, started for the run."""
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*://)?(\[[0-9a-f:.]+\]|[\w.-]+):([0-9]{1,5})", re.IGNORECASE)
_SOON = 2.0
"""Seconds in which a scheduler answers whom nobody has to wait for."""
_LAST_WORDS = 5.0
"""Seconds that taking leave may last."""


def available() -> bool:
    """Whether Dask distributed is installed."""
    try:
        return find_spec("distributed") is not None
    except ValueError:  # something else goes by that name
        return False


def check_address(address: str) -> None:
    """See whether there can be a scheduler of this address.

    Raises:
        ScenarioError: there cannot.
    """
    match = _ADDRESS.fullmatch(address)
    if address != LOCAL and (match is None or not 0 < int(match[3]) < 1 << 16):
        hint = f"for instance tcp://10.0.0.1:8786, or {LOCAL} for the cores of this machine"
        raise failure(f"{printable(address)} is not an address of a scheduler", hint)


@contextmanager
def connected(address: str, workers: int | None, notify: Callable[[str], object]) -> Iterator[Cluster]:
    """The workers of a scheduler.

    How long to wait for it, and for a first worker, is Dask's setting `distributed.comm.timeouts.connect`
    (30 s unless told); certificates for `tls://` addresses are in `distributed.comm.tls`.

    Args:
        address: Of the scheduler, `host:port` or `scheme://host:port`; or `local`.
        workers: Processes of a local one; None: as many as there are cores.
        notify: Told what the waiting is for.

    Raises:
        ScenarioError: there is no scheduler, no worker, or what they run differs from what runs here.
    """
    check_address(address)
    with ExitStack() as stack:
        stack.enter_context(_silence())
        distributed, dask = import_module("distributed"), import_module("dask")
        patience = dask.utils.parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
        try:
            where = _local(distributed, workers, stack) if address == LOCAL else address
            with _meanwhile(lambda: notify(f"connecting to {printable(address)} (up to {patience:g} s)")):
                if address != LOCAL:
                    asyncio.run(_knock(distributed, address, patience))
                client = distributed.Client(where, timeout=patience, set_as_default=False)
        except (*ENGINE_ERRORS, TypeError, ValueError) as error:
            raise failure(f"{printable(address)} cannot be reached: {line(error)}") from error
        stack.callback(_leave, client.close)
        try:
            if not client.nthreads():
                notify(f"waiting for a worker of {printable(address)}")
                client.wait_for_workers(1, timeout=patience)
        except ENGINE_ERRORS as error:
            message = f"{printable(address)} has no worker, and none has come for {patience:g} s"
            raise failure(message, "start one: dask worker ADDRESS") from error
        compare(client)
        yield Cluster(client, patience)


@contextmanager
def _meanwhile(tell: Callable[[], object]) -> Iterator[None]:
    """Tell what is going on, unless it is soon over."""
    timer = threading.Timer(_SOON, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


async def _knock(distributed: Any, address: str, patience: float) -> None:
    """See whether somebody listens: a client that is stopped half-way leaves more behind than an error."""
    how = distributed.Security().get_connection_args("client")
    answer = distributed.comm.connect(address, timeout=patience, **how)
    try:
        (await asyncio.wait_for(answer, patience + 1)).abort()
    except asyncio.TimeoutError:
        raise OSError("what listens there does not answer as a scheduler does") from None


def _local(distributed: Any, workers: int | None, stack: ExitStack) -> Any:
    """A cluster on this machine, which listens to this machine alone."""
    with _interrupts_kept():
        cluster = distributed.LocalCluster(
            n_workers=workers or processes.cores(),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    stack.callback(_leave, cluster.close)
    return cluster


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Processes and threads begun in here never see Ctrl-C; this thread does at the end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would undo what follows
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave(close: Callable[..., object]) -> None:
    """Say goodbye; whoever is not there any more does not answer."""
    with suppress(Exception):
        close(timeout=_LAST_WORDS)


@contextmanager
def _silence() -> Iterator[None]:
    """Let nobody but us speak of what goes wrong."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
