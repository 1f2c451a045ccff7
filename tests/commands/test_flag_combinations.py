"""Flags in any combination: an answer or an error that says what is wrong, and never a crash."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.commands.running import run
from tests.effort import examples
from tests.texts import GEMM

VALUES: dict[str, list[str]] = {
    "--set": [
        "num_stages=2", "num_stages=1..3", "num_stages=true", "num_stages=", "num_stages=9**9**9", "=1",
        "block_M=16..64*2", "block_K=64,32", "nope=1", "num_stages=-1", "num_stages=1 // 0", "block_M=int8",
    ],
    "--fill": ["num_stages=1..4", "num_stages=3..1", "num_stages=x", "nope=1..2", "num_stages=1,2,true"],
    "--budget": ["h100", "rtx-4090", "64 KiB", "1", "64 KB", "nope", "block_M * 512", "sm_90/sm", "-1", ""],
    "--policy": ["tilelang", "optimal", "triton", "best", "struct"],
    "--align": ["16", "1KiB", "3", "0", "-1", "x", "9223372036854775808"],
    "--time-limit": ["0", "nan", "-1", "1e-3", "x"],
    "--format": [
        "text", "json", "csv", "markdown", "github", "junit", "sarif", "concise", "jsonl", "auto", "x",
    ],
    "--compare": ["optimal", "struct", "x"],
    "--jobs": ["1", "0", "x"],
    "--max": ["num_stages", "block_M", "nope"],
    "--pivot": ["num_stages", "block_M", "nope"],
    "--configs": ["c.json", "c.csv", "gemm.yaml", "nope"],
    "--baseline": ["base.json", "c.json", "nope", "-"],
    "--max-growth": ["5%", "x", "4KiB"],
    "--base": ["HEAD", "--x", ""],
    "--color": ["always", "never", "x"],
    "--output": ["csv:out", "json:no/out", "x:y", "sarif:", "out.csv", "gemm.yaml"],
}  # fmt: skip
SWITCHES = [
    "--strict", "--matrix", "--suggest", "--no-suggest", "--explain", "--map", "--no-map", "--fits-only",
    "--first", "--resume", "--help", "-h", "--nope",
]  # fmt: skip
PATHS = [
    "gemm.yaml",
    "tiles.yaml",
    "bad.yaml",
    ".",
    "*.yaml",
    "-",
    "builtin:plain",
    "builtin:nope",
    "nope",
    "base.json",
]
COMMANDS = ["check", "pack", "sweep", "diff", "expand", "devices", "explain"]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The current folder."""
    path = tmp_path_factory.mktemp("flags")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        yield path


def lay_out() -> None:
    """Scenarios, lists and a stored result in the current folder, whatever a command wrote there."""
    Path("gemm.yaml").write_text(GEMM, encoding="utf-8")
    Path("tiles.yaml").write_text(GEMM.replace("name: gemm", "name: tiles"), encoding="utf-8")
    Path("bad.yaml").write_text("smemdsl: 1\nbuffers: {A: {bytes: q}}\n", encoding="utf-8")
    Path("c.json").write_text('[{"num_stages": 2}, {"kwargs": {"block_M": 64}, "num_warps": 4}]')
    Path("c.csv").write_text("num_stages,block_M\n2,\n3,64\n")
    if not Path("base.json").exists():
        Path("base.json").write_text(run("pack", "gemm.yaml", "--format", "json").out, encoding="utf-8")


def flags() -> st.SearchStrategy[list[str]]:
    """Some flags with values, some without."""
    valued = st.sampled_from(sorted(VALUES)).flatmap(
        lambda flag: st.sampled_from(VALUES[flag]).map(lambda value: [flag, value])
    )
    switches = st.sampled_from(SWITCHES).map(lambda flag: [flag])
    return st.lists(st.one_of(valued, valued, switches), max_size=4).map(lambda found: list(chain(*found)))


@settings(max_examples=examples(150), deadline=None)
@given(
    st.sampled_from(COMMANDS),
    st.lists(st.sampled_from(PATHS), max_size=2),
    flags(),
    st.sampled_from([GEMM, "x"]),
)
def test_any_combination(command: str, paths: list[str], given_flags: list[str], stdin: str) -> None:
    """0, 1 or 2, as documented; what ends with 2 says why, in the form of every error."""
    lay_out()
    done = run(command, *paths, *given_flags, stdin=stdin.encode())
    assert done.code in (0, 1, 2)
    assert "Traceback" not in done.out + done.err
    if done.code == 2:
        assert "error[" in done.err + done.out or '"severity": "error"' in done.out or "invalid" in done.out
