"""A cluster of three workers that all tests share, and a folder of scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from smemdsl.execution import cluster
from tests.cluster.machines import LONGEST, ended, eventually, known, scheduler, worker
from tests.commands.conftest import folder
from tests.texts import GEMM

__all__ = ["folder"]


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Connections from the tests' own process may take long on a busy machine, and nothing is said of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "_SOON", 600.0)
        if not cluster.available():
            yield
            return
        dask = import_module("dask")
        with dask.config.set({"distributed.comm.timeouts.connect": f"{LONGEST:g}s"}):
            yield


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The scheduler of three workers."""
    pytest.importorskip("distributed", reason="pip install 'smemdsl[cluster]'")
    place = tmp_path_factory.mktemp("machines")
    with scheduler(place) as (found, _), ended(*(worker(found, place) for _ in range(3))):
        eventually(lambda: known(found).workers == 3)
        yield found


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    """A folder with a kernel to sweep."""
    (tmp_path / "gemm.yaml").write_text(GEMM, encoding="utf-8")
    return tmp_path
