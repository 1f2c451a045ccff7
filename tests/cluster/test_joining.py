"""Which schedulers and workers there can be, and what is said of the others."""

from __future__ import annotations

import pickle
import sys
import threading
from pathlib import Path

import pytest

from smemdsl.execution.cluster import available
from smemdsl.execution.cluster.remote_task import RemoteTask
from smemdsl.execution.cluster.versions import differing, versions
from tests.cluster.machines import ended, eventually, known, worker
from tests.commands.running import Done, run

pytestmark = pytest.mark.xdist_group("cluster")

OLD = "import smemdsl._version\nsmemdsl._version.__version__ = '0.0.1'"
NONE = "import sys\nsys.modules['smemdsl'] = None"
SWEEP = ("sweep", "gemm.yaml", "--format", "csv")


def failed(*arguments: str) -> str:
    """What a sweep that does not begin says."""
    done = run(*SWEEP, *arguments)
    assert (done.code, done.out) == (2, "")
    return done.err


@pytest.mark.parametrize(("first", "found"), [(OLD, "0.0.1"), (NONE, "missing")], ids=["old", "none"])
def test_other_versions(address: str, folder: Path, first: str, found: str) -> None:
    """One worker of four that runs something else is named, and nothing is written, not even a file."""
    before = known(address).names
    with ended(worker(address, folder, first)):
        eventually(lambda: known(address).workers == 4)
        (name,) = known(address).names - before
        said = failed("--scheduler", address, "--output", "rows")
    own = versions()["smemdsl"]
    assert said == (
        f"--scheduler: error[cluster-versions] smemdsl is {own} here, {found} on worker {name}\n"
        "  hint: install the same everywhere, the scheduler included\n"
    )
    assert not list(folder.glob("rows*"))


def test_who_differs() -> None:
    """By version; a machine that cannot say lacks smemdsl, and nothing is known of its libraries."""
    same = versions()
    answers = {
        "a": same,
        "b": same | {"Python": "3.9"},
        "c": ImportError("no smemdsl"),
        "d": same | {"Python": "3.8"},
        "e": same | {"Python": "3.9"},
    }
    assert differing("Python", same["Python"], answers) == {"3.9": ["b", "e"], "3.8": ["d"]}
    assert differing("smemdsl", same["smemdsl"], answers) == {"missing": ["c"]}
    assert differing("dask", same["dask"], answers) == {}


def test_a_worker_that_comes_later() -> None:
    """It compares by itself, before it reads anything."""
    pytest.importorskip("distributed", reason="pip install 'smemdsl[cluster]'")
    same = versions()
    assert pickle.loads(pickle.dumps(RemoteTask(pickle.dumps(7), same))).known() == 7
    with pytest.raises(ImportError, match=f"smemdsl is 9 here, {same['smemdsl']} on a worker"):
        RemoteTask(b"", same | {"smemdsl": "9"}).known()


@pytest.mark.parametrize(
    "address",
    ["", "nowhere", "10.0.0.1", "tcp://", "tcp://10.0.0.1", "host:0", "host:65536", "host:x", "a b"],
)
def test_no_addresses(folder: Path, address: str) -> None:
    """What cannot be an address is said at once."""
    for command in (SWEEP, ("check", "gemm.yaml")):
        done = run(*command, "--scheduler", address)
        assert (done.code, done.out) == (2, "")
        assert "error[cluster]" in done.err
        assert "is not an address of a scheduler" in done.err


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1:1", "Timed out trying to connect"),
        ("nothing://127.0.0.1:8786", "unknown address scheme"),
        ("tls://127.0.0.1:8786", "TLS"),
    ],
)
def test_nobody_there(folder: Path, monkeypatch: pytest.MonkeyPatch, address: str, why: str) -> None:
    """Nobody listens, or not in this way; check has printed nothing, and a file is left alone."""
    dask = pytest.importorskip("dask", reason="pip install 'smemdsl[cluster]'")
    (folder / "rows.part").write_text("of another day", encoding="utf-8")
    with dask.config.set({"distributed.comm.timeouts.connect": "200ms"}):
        said = failed("--scheduler", address, "--output", "rows")
        checked = run("check", "gemm.yaml", "--scheduler", address)
    assert said.startswith(f"--scheduler: error[cluster] {address} cannot be reached: ")
    assert why in said
    assert checked == Done(2, "", said)
    assert (folder / "rows.part").read_text("utf-8") == "of another day"


def test_wrong_usage(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra has to be there; --jobs is for processes here; --first needs none."""
    if available():
        assert "--jobs counts processes here" in failed("--scheduler", "127.0.0.1:1", "--jobs", "2")
        assert "--first judges one row after the other" in failed("--scheduler", "127.0.0.1:1", "--first")
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = failed("--scheduler", "local")
    assert "error[usage] --scheduler needs Dask distributed: pip install 'smemdsl[cluster]'" in said


def test_waiting_for_a_scheduler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none answers soon, it is said what the waiting is for."""
    dask = pytest.importorskip("dask", reason="pip install 'smemdsl[cluster]'")
    pytest.importorskip("distributed", reason="pip install 'smemdsl[cluster]'")

    class AtOnce(threading.Timer):
        """A timer whose time has come when it starts, so that no machine is too fast or too slow for it."""

        def start(self) -> None:
            self.function()

    monkeypatch.setattr(threading, "Timer", AtOnce)
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        said = failed("--scheduler", "tcp://127.0.0.1:1")
    note, error = said.splitlines()[:2]
    assert note == "note: connecting to tcp://127.0.0.1:1 (up to 1 s)"
    assert error.startswith("--scheduler: error[cluster] tcp://127.0.0.1:1 cannot be reached")
