"""OK means that a block can be launched: what is in the way, in every form in which it is told."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from smemdsl.api import loads
from tests.commands.running import run

H100 = "budget: h100\n"
CASES = [
    # a block of sm_90 may have 232448 of the 233472 B of its SM (cudaDevAttrMaxSharedMemoryPerBlockOptin)
    ("budget: h100-sm-shared-228kb\n", 232960, "opt-in", 233472),
    ("", 232960, "opt-in", 233472),
    ("budget: sm_90/sm\n", 232448, None, 233472),
    ("budget: sm_90/sm\n", 233472, "opt-in", 233472),
    ("budget: sm_90/sm\n", 233473, "budget", 233472),
    (H100, 232448, None, 232448),
    (H100, 232449, "budget", 232448),
    ("budget: sm_90/static\n", 49153, "budget", 49152),
    ("budget: 300 KiB\n", 232960, None, 307200),  # no device
    ("budget: 300 KiB\nthreads: 2048\n", 8, None, 307200),
    # static arrays: 48 KiB, but for targets of one architecture alone (ptxas 13.0)
    (H100 + "static: 49152\n", 8, None, 232448),
    (H100 + "static: 49153\n", 8, "static", 232448),
    ("budget: sm_90a\nstatic: 65536\n", 8, None, 232448),
    ("budget: sm_90a\nstatic: 232449\n", 0, "budget", 232448),
    # 1024 threads a block, 255 registers a thread, 65536 registers a block
    (H100 + "threads: 1024\n", 8, None, 232448),
    (H100 + "threads: 1025\n", 8, "threads", 232448),
    (H100 + "threads: 2048\nregisters: 300\n", 8, "threads", 232448),
    (H100 + "threads: 512\nregisters: 128\n", 8, None, 232448),
    (H100 + "threads: 512\nregisters: 129\n", 8, "registers", 232448),
    (H100 + "threads: 128\nregisters: 256\n", 8, "registers", 232448),
    # clusters: 8 are portable, 16 on H100 and B200, none before 9.0
    (H100 + "cluster: 8\n", 232448, None, 232448),
    (H100 + "cluster: 16\n", 115712, None, 232448),  # 2 blocks an SM, 8 SMs
    (H100 + "cluster: 16\n", 115713, "cluster", 232448),
    (H100 + "cluster: 16\n", 229376, "cluster", 232448),  # CUDA_ERROR_INVALID_CLUSTER_SIZE, as reported
    (H100 + "cluster: 17\n", 8, "cluster", 232448),
    ("budget: b200\ncluster: 16\n", 8, None, 232448),
    ("budget: sm_120\ncluster: 9\n", 8, "cluster", 101376),
    ("budget: sm_121\ncluster: 8\n", 8, None, 101376),
    ("budget: a100\ncluster: 2\n", 8, "cluster", 166912),
    ("budget: a100\ncluster: 1\n", 8, None, 166912),
    ("params: {m: 4, n: 4}\ncluster: m * n + 1\n" + H100, 8, "cluster", 232448),
]


@pytest.mark.parametrize(("top", "size", "limit", "budget"), CASES)
def test_what_is_in_the_way(top: str, size: int, limit: str | None, budget: int) -> None:
    """The first limit that a block exceeds is named, and the budget stays what was asked for."""
    verdict = loads(f"smemdsl: 1\n{top}buffers: {{a: {{bytes: {size}}}}}\n").check()
    assert (verdict.limit, verdict.budget.bytes) == (limit, budget)
    assert verdict.fits == (limit is None)
    assert verdict.verdict == ("OK" if limit is None else "OVER")
    assert verdict.passes == (limit is None)


@pytest.mark.parametrize(
    ("top", "size", "confidence"),
    [
        ("cluster: 16\n", 229376, "approximate"),  # some GPC may have 16 SMs
        ("cluster: 17\n", 8, "exact"),
        ("threads: 2048\n", 8, "exact"),
        ("", 232449, "exact"),
    ],
)
def test_how_sure_it_is(top: str, size: int, confidence: str) -> None:
    """Only how many SMs of a GPC a cluster finds is not known."""
    assert (
        loads(f"smemdsl: 1\n{H100}{top}buffers: {{a: {{bytes: {size}}}}}\n").check().confidence == confidence
    )


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    """A block with too many threads."""
    file = tmp_path / "kernel.yaml"
    file.write_text("smemdsl: 1\nbudget: h100\nthreads: 2048\nbuffers: {a: {bytes: 8}}\n", encoding="utf-8")
    return str(file)


def test_every_format(kernel: str) -> None:
    """All of them say that it is over, and what is in the way; the exit code is 1."""
    reason = "sm_90 allows at most 1024 threads per block, not 2048"
    for style in ("text", "json", "csv", "markdown", "github", "junit", "sarif", "concise"):
        done = run("check", kernel, "--format", style)
        assert done.code == 1
        assert reason in done.out or style in ("json", "csv")
    (row,) = csv.DictReader(io.StringIO(run("check", kernel, "--format", "csv").out))
    assert (row["verdict"], row["limit"], row["confidence"]) == ("OVER", "threads", "exact")
    (result,) = json.loads(run("check", kernel, "--format", "json").out)["results"]
    assert (result["verdict"], result["limit"], result["confidence"]) == ("OVER", "threads", "exact")
    assert "OVER (threads)" in run("pack", kernel).out


def test_what_init_writes_names_what_a_block_may_have(tmp_path: Path) -> None:
    """With 232960 B it is over, as a launch on an H100 would be."""
    for form in ("plain", "epilogue", "carry", "gemm-tiles"):
        file = tmp_path / f"{form}.yaml"
        assert run("init", str(file), "--form", form).code == 0
        (result,) = json.loads(run("check", str(file), "--format", "json").out)["results"]
        assert result["budget"] == {"name": "sm_90", "bytes": 232448}


def test_suggestions_do_not_change_what_does_not_help(kernel: str) -> None:
    """Fewer bytes let no block of 2048 threads run."""
    assert loads(Path(kernel).read_text(encoding="utf-8")).check().suggestions == ()


def test_what_is_in_the_way_is_pointed_at(tmp_path: Path) -> None:
    """The diagnostic names the key whose number no launch can have, and the exit code is 1."""
    file = tmp_path / "wide.yaml"
    file.write_text("smemdsl: 1\nbudget: h100\nthreads: 2048\nbuffers: {a: {bytes: 1024}}\n")
    done = run("check", str(file), "--format", "concise")
    assert done.code == 1
    assert done.out.startswith(f"{file}:3:1: error[not-launchable] wide cannot be launched on sm_90")
