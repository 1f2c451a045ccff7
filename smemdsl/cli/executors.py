"""Who does the work of a command: this process, several here, or those of a scheduler."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from smemdsl.cli.output import complain, say
from smemdsl.core import exit_codes
from smemdsl.core.errors import ScenarioError

if TYPE_CHECKING:
    from smemdsl.execution.processes import OrderedExecutor


def check_scheduler(scheduler: str | None, jobs: int | None) -> None:
    """End the run where there can be no such scheduler."""
    if scheduler is None:
        return
    from smemdsl.execution import cluster

    try:
        cluster.check_address(scheduler)
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None
    if jobs is not None and scheduler != cluster.LOCAL:
        raise click.UsageError(
            f"--jobs counts processes here: leave it out, or use --scheduler {cluster.LOCAL}"
        )
    if not cluster.available():
        raise click.UsageError("--scheduler needs Dask distributed: pip install 'smemdsl[cluster]'")


@contextmanager
def connected_executor(scheduler: str | None, jobs: int | None) -> Iterator[OrderedExecutor | None]:
    """Those of a scheduler; None without one.

    Raises:
        ScenarioError: it cannot be reached, or its workers are not fit for this.
    """
    if scheduler is None:
        yield None
        return
    from smemdsl.execution import cluster

    with cluster.connected(scheduler, jobs, lambda text: say(f"note: {text}\n", sys.stderr)) as found:
        yield found
