"""`smemdsl diff --base` in a stranger's repository: none of the programs that it names is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.review.kernels import FLASH, commit, git, smemdsl


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one scenario, as the current folder."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "repo"
    folder.mkdir()
    commit(folder, {"scenarios/flash.yaml": FLASH})
    monkeypatch.chdir(folder)
    return folder


def _program(repo: Path, name: str) -> tuple[str, Path]:
    """A program that leaves a mark when it runs, and the mark."""
    mark = repo.parent / f"ran-{name}"
    path = repo.parent / f"{name}.sh"
    path.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    path.chmod(0o755)
    return str(path), mark


@pytest.mark.parametrize(
    "setting",
    ["core.fsmonitor", "diff.external", "filter.x.y.clean", "filter.x.y.process", "diff.d.textconv"],
)
def test_programs_of_the_settings_are_not_run(repo: Path, setting: str) -> None:
    """A plain `git diff` runs each of them, which shows that the trap is one; ours runs none."""
    program, mark = _program(repo, "trap")
    Path(".git/info").mkdir(exist_ok=True)
    Path(".git/info/attributes").write_text("*.yaml filter=x.y diff=d\n")
    Path("scenarios/flash.yaml").write_text(FLASH.replace("versions: n", "versions: 3"))
    git(repo, "config", setting, program)
    result = smemdsl("diff", "--base", "HEAD")
    assert result.exit_code in (0, 1), result.output
    assert "114688 -> 131072" in result.stdout
    assert not mark.exists()
    subprocess.run(["git", "diff", "HEAD"], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    assert mark.exists()


def test_an_object_that_is_missing(repo: Path) -> None:
    """What git says of it, and exit code 2."""
    blob = subprocess.check_output(["git", "rev-parse", "HEAD:scenarios/flash.yaml"], text=True).strip()
    loose = Path(".git/objects") / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.unlink()
    result = smemdsl("diff", "--base", "HEAD")
    assert result.exit_code == 2
    assert "error[git]" in result.stderr
    assert blob in result.stderr
