"""Settings of the whole suite: property tests measure no time, and several files run on all cores."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from smemdsl.execution.processes import cores
from tests.workers import processes

_SHARED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be shared
settings.register_profile("full", _SHARED, max_examples=100)
settings.register_profile("quick", _SHARED, max_examples=25)
settings.register_profile(
    "mutants",  # of benchmarks/mutants: that a test fails is enough, the least example is not looked for
    _SHARED,
    max_examples=100,
    phases=(Phase.explicit, Phase.generate),
    derandomize=True,
    database=None,
)
settings.load_profile("full" if os.environ.get("CI") == "true" else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Before xdist looks at its options; a process that xdist started has had its turn."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    workers = processes(config.option, config.args, cores())
    if workers:
        config.option.numprocesses, config.option.dist = workers, "loadgroup"
