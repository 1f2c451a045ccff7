"""How many processes run the tests where nobody says so."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest

from tests.workers import processes

HERE = "tests/test_units.py"
OTHER = "tests/test_dtypes.py"


@pytest.fixture(autouse=True)
def at_the_top(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are from the top of the repository."""
    monkeypatch.chdir(request.config.rootpath)


@pytest.mark.parametrize(
    ("arguments", "said", "cores", "expected"),
    [
        (["tests"], {}, 2, 2),
        (["tests/packing"], {}, 4, 4),
        ([HERE, OTHER], {}, 2, 2),
        ([f"{HERE}::test_a", f"{OTHER}::test_b"], {}, 2, 2),
        (["tests"], {}, 64, 8),
        (["tests"], {}, 1, 0),
        ([HERE], {}, 2, 0),
        ([f"{HERE}::test_a", f"{HERE}::test_b"], {}, 2, 0),
        (["tests"], {"maxfail": 1}, 2, 0),
        (["tests"], {"keyword": "units"}, 2, 0),
        (["tests"], {"usepdb": True}, 2, 0),
        (["tests"], {"capture": "no"}, 2, 0),
        (["tests"], {"numprocesses": 0}, 2, 0),
        (["tests"], {"numprocesses": 3}, 2, 0),
        (["tests"], {"dist": "loadfile"}, 2, 0),
    ],
)
def test_processes(arguments: list[str], said: dict[str, Any], cores: int, expected: int) -> None:
    """Folders and several files have a process for each core, unless somebody looks or says how many."""
    usual = {
        "numprocesses": None,
        "dist": "no",
        "capture": "fd",
        "maxfail": 0,
        "keyword": "",
        "usepdb": False,
    }
    assert processes(Namespace(**{**usual, **said}), arguments, cores) == expected


def test_without_xdist() -> None:
    """Without xdist there is no such option, and one process runs all."""
    assert processes(Namespace(capture="fd"), ["tests"], 8) == 0
