"""Sweeps and checks by the workers of a scheduler: the bytes of one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdsl.sweeping import chunks
from tests.commands.running import Done, run

pytestmark = pytest.mark.xdist_group("cluster")

AXES = ("--set", "block_M=16..64:16", "--set", "block_N=16,32,64", "--set", "num_stages=0..3")
BUDGETS = ("--budget", "sm_90", "--budget", "100")


def both(address: str, *arguments: str) -> Done:
    """What a command leaves behind, with a scheduler as without."""
    alone = run(*arguments)
    assert run(*arguments, "--scheduler", address) == alone
    return alone


@pytest.mark.parametrize(
    ("style", "more"),
    [
        *((style, BUDGETS) for style in ("text", "json", "jsonl", "csv")),
        ("csv", ("--max", "num_stages")),
        ("jsonl", ("--fits-only",)),
        ("markdown", ("--max", "num_stages", "--pivot", "block_N")),
    ],
)
def test_sweeps(
    address: str, folder: Path, monkeypatch: pytest.MonkeyPatch, style: str, more: tuple[str, ...]
) -> None:
    """Both streams and the exit code, with configurations in error, several budgets, largest values."""
    monkeypatch.setattr(chunks, "_BUFFERS", 64)
    both(address, "sweep", "gemm.yaml", *AXES, "--format", style, *more)


def test_many_files(address: str, folder: Path) -> None:
    """The rows of several files stay in their order; the workers need none of the files."""
    done = both(address, "sweep", "gemm.yaml", "builtin:epilogue", *AXES, *BUDGETS, "--format", "csv")
    assert done.out.count("\ngemm,") == done.out.count("\nepilogue,") > 10


def test_parquet(address: str, folder: Path) -> None:
    """A file that is not a string has the same bytes, too."""
    pytest.importorskip("pyarrow", reason="pip install 'smemdsl[parquet]'")
    run("sweep", "gemm.yaml", *AXES, "--output", "one.parquet")
    run("sweep", "gemm.yaml", *AXES, "--output", "other.parquet", "--scheduler", address)
    assert Path("one.parquet").read_bytes() == Path("other.parquet").read_bytes()


@pytest.mark.parametrize("more", [("--format", "json"), BUDGETS])
def test_checks(address: str, folder: Path, more: tuple[str, ...]) -> None:
    """`check` of files of every fate."""
    done = both(address, "check", ".", *more)
    assert done.code == 2
