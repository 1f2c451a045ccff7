"""What the shell offers at the tab key, by click's own interface."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from smemdsl.cli import cli
from smemdsl.devices import resolve_budget
from tests.commands.running import run
from tests.review.kernels import commit, git
from tests.texts import GEMM


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a scenario, a bad one, and what is none."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("gemm.yaml", GEMM), ("bad.yaml", "smemdsl: 3"), ("notes.txt", ""), (".h.yaml", "")):
        Path(name).write_text(text, encoding="utf-8")
    Path("kernels").mkdir()
    Path("kernels/one.yml").write_text("smemdsl: 1\nparams: {lanes: 4}\nbuffers: {}\n", encoding="utf-8")
    return tmp_path


def offered(*words: str) -> list[str]:
    """What may stand for the last word, after the others."""
    found = ShellComplete(cli, {}, "smemdsl", "_SMEMDSL_COMPLETE").get_completions(
        list(words[:-1]), words[-1]
    )
    return [f"{item.type}:{item.value}" if item.type != "plain" else item.value for item in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["check", ""], ["bad.yaml", "gemm.yaml", "kernels/", "builtin:"]),
        (["check", "g"], ["gemm.yaml"]),
        (["check", "n"], []),
        (["check", ".h"], [".h.yaml"]),
        (["pack", "ker"], ["dir:ker"]),
        (["sweep", "kernels/"], ["kernels/one.yml"]),
        (["diff", "gemm.yaml", "b"], ["bad.yaml", "builtin:"]),
        (["expand", "builtin:epi"], ["builtin:epilogue"]),
        (["check", "nowhere/"], []),
        (["check", "gemm.yaml", "--set", ""], ["block_M=", "block_N=", "block_K=", "num_stages="]),
        (["check", "gemm.yaml", "kernels", "bad.yaml", "--fill", "la"], ["lanes="]),
        (["check", "--set", "n"], []),
        (["check", "bad.yaml", "nothing.yaml", "-", "--set", ""], []),
        (["sweep", "gemm.yaml", "--max", "n"], ["num_stages"]),
        (["sweep", "gemm.yaml", "--pivot", "block_"], ["block_M", "block_N", "block_K"]),
        (["check", "--budget", "rtx-409"], ["rtx-4090"]),
        (["check", "--budget", "sm_90"], ["sm_90"]),
        (["check", "--budget", "sm_90/"], ["sm_90/sm", "sm_90/static"]),
        (["devices", "h10"], ["h100"]),
        (["explain", "expect-ar"], ["expect-arena", "expect-arena-max", "expect-arena-min"]),
        (["check", "--policy", "t"], ["tilelang", "triton"]),
        (["pack", "--policy", "opt"], ["optimal"]),
        (["check", "--format", "j"], ["json", "junit"]),
        (["check", "--output", "j"], ["json:", "junit:"]),
        (["diff", "--output", "g"], ["github:"]),
        (["capture", "triton", "--target", "sm_9"], ["sm_90"]),
        (["capture", "tilelang", "--target", "h100"], []),
        (["plot", "g"], ["gemm.yaml"]),
        (["che"], ["check"]),
    ],
)
def test_what_is_offered(folder: Path, words: list[str], expected: list[str]) -> None:
    found = offered(*words)
    assert [item for item in found if not item.startswith("h100-")] == expected


def test_offers_are_taken(folder: Path) -> None:
    """Whatever is offered as a budget or a device is one."""
    names = offered("devices", "")
    assert set(names) <= set(offered("check", "--budget", ""))
    assert run("devices", *names).code == 0
    for name in (*names, *offered("check", "--budget", ""), *offered("check", "--budget", "sm_90/")):
        assert resolve_budget(name, lambda _: 0).preset


def test_a_shell_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way, as bash's script asks."""
    monkeypatch.setenv("_SMEMDSL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "smemdsl check gemm.yaml --set num")
    monkeypatch.setenv("COMP_CWORD", "4")
    done = run()
    assert (done.code, done.out, done.err) == (0, "plain,num_stages=\n", "")


def test_revisions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Branches and tags of the repository; outside of one, nothing."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    assert offered("diff", "--base", "") == []
    commit(folder, {})
    for name in (("branch", "main-2"), ("tag", "measured"), ("tag", "v1")):
        git(folder, *name)
    assert (
        {"main-2", "measured"}
        <= set(offered("diff", "--base", "m"))
        <= {"main", "master", "main-2", "measured"}
    )
    assert offered("diff", "--base", "v") == ["v1"]
