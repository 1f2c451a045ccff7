"""Machines that die, processes that are killed or interrupted: no row is lost, none is there twice."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from tests.cluster.machines import (
    LONGEST,
    client,
    ended,
    eventually,
    held,
    known,
    scheduler,
    under_way,
    worker,
)
from tests.commands.running import run

pytestmark = pytest.mark.xdist_group("cluster")

SWEEP = ("sweep", "gemm.yaml", "--set", "block_M=16..384:16", "--set", "num_stages=1..48", "--format", "csv")


def rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What one process writes."""
    monkeypatch.chdir(folder)
    return run(*SWEEP).out.encode()


def test_a_worker_is_killed(kernel: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others do again what it had not done: four workers at the beginning, three in the end."""
    whole = rows(kernel, monkeypatch)
    fourth = worker(address, kernel)
    with ended(fourth), held(kernel) as hold:
        eventually(lambda: known(address).workers == 4)
        sweep = client(kernel, *SWEEP, "--output", "rows", "--scheduler", address)
        with ended(sweep):
            under_way(sweep, kernel / "rows.part")
            fourth.kill()
            hold.unlink()
            out, err = sweep.communicate()
    assert (sweep.returncode, out, err) == (0, b"", b"")
    assert (kernel / "rows").read_bytes() == whole


def test_an_interrupted_sweep(kernel: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C says what is safe, and leaves the workers nothing to do; --resume goes on here."""
    whole = rows(kernel, monkeypatch)
    arguments = (*SWEEP, "--output", "rows")
    with held(kernel), ended(client(kernel, *arguments, "--scheduler", address)) as [sweep]:
        under_way(sweep, kernel / "rows.part")
        sweep.send_signal(signal.SIGINT)
        out, err = sweep.communicate()
    assert (sweep.returncode, out) == (130, b"")
    assert b" rows are safe in rows.part; --resume continues from there\n" in err
    assert b"Traceback" not in err
    eventually(lambda: known(address).tasks == 0)
    again = client(kernel, *arguments, "--resume")
    assert (again.communicate(), again.returncode) == ((b"", b""), 0)
    assert (kernel / "rows").read_bytes() == whole


def test_a_cluster_for_the_run(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, which a terminal gives to all its processes, is left to the sweep; no worker outlives it."""
    pytest.importorskip("distributed", reason="pip install 'smemdsl[cluster]'")
    whole = rows(kernel, monkeypatch)
    arguments = (*SWEEP, "--output", "rows")
    with held(kernel), ended(client(kernel, *arguments, "--scheduler", "local", "--jobs", "2")) as [sweep]:
        under_way(sweep, kernel / "rows.part")
        os.killpg(sweep.pid, signal.SIGINT)
        out, err = sweep.communicate()  # until the last process has closed them
    assert (sweep.returncode, out) == (130, b"")
    assert re.fullmatch(
        rb"interrupted: [\d,]+ rows are safe in rows\.part; --resume continues from there\n\s*", err
    )
    again = client(kernel, *arguments, "--resume")
    assert (again.communicate(), again.returncode) == ((b"", b""), 0)
    assert (kernel / "rows").read_bytes() == whole


def killed_and_resumed(kernel: Path, whole: bytes, *arguments: str) -> None:
    """kill -9 in the middle, then the same command with --resume."""
    arguments = (*SWEEP, "--output", "rows", *arguments)
    with held(kernel), ended(client(kernel, *arguments)) as [sweep]:
        under_way(sweep, kernel / "rows.part")
    assert not (kernel / "rows").exists()
    kept = (kernel / "rows.part.json").exists()
    note = b"" if kept else b"note: nothing of rows.part is safe: the sweep starts over\n"
    again = client(kernel, *arguments, "--resume")
    assert (again.communicate(), again.returncode) == ((b"", note), 0)
    assert (kernel / "rows").read_bytes() == whole


def test_a_killed_sweep(kernel: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the cluster, which forgets what nobody waits for."""
    killed_and_resumed(kernel, rows(kernel, monkeypatch), "--scheduler", address)
    eventually(lambda: known(address).tasks == 0)


def test_a_killed_sweep_of_processes(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On this machine, whose workers end with it."""
    killed_and_resumed(kernel, rows(kernel, monkeypatch), "--jobs", "2")


def test_a_scheduler_comes_to_its_end(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without workers nothing begins; when it dies in the middle, what there is is safe."""
    distributed = pytest.importorskip("distributed", reason="pip install 'smemdsl[cluster]'")
    wait = distributed.Client.wait_for_workers
    whole = rows(kernel, monkeypatch)
    arguments = (*SWEEP, "--output", "rows")
    with scheduler(kernel) as (address, process):
        with (
            monkeypatch.context() as patch
        ):  # to connect may take long; for a worker that never comes, it need not
            patch.setattr(distributed.Client, "wait_for_workers", lambda self, n, timeout: wait(self, n, 0.1))
            alone = run(*arguments, "--scheduler", address)
        assert (alone.code, alone.out) == (2, "")
        assert f"error[cluster] {address} has no worker, and none has come for {LONGEST:g} s\n" in alone.err
        with held(kernel) as hold, ended(client(kernel, *arguments, "--scheduler", address)) as [sweep]:
            assert sweep.stderr is not None
            assert sweep.stderr.readline() == f"note: waiting for a worker of {address}\n".encode()
            with ended(worker(address, kernel)):
                under_way(sweep, kernel / "rows.part")
                process.kill()
                hold.unlink()
                out, err = sweep.communicate()
    assert (sweep.returncode, out) == (2, b"")
    assert b"--scheduler: error[cluster] the scheduler is gone\n" in err
    assert b" rows are safe in rows.part; --resume continues from there\n" in err
    again = client(kernel, *arguments, "--resume")
    assert (again.communicate(), again.returncode) == ((b"", b""), 0)
    assert (kernel / "rows").read_bytes() == whole
