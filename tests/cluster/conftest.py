"""A cluster of three workers that all tests share, and a folder of scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.machines import ended, eventually, known, scheduler, worker
from tests.commands.conftest import folder
from tests.texts import GEMM

__all__ = ["folder"]


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
