"""The hooks, the action, and every command of docs/ci.md, run as their users run them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.review.kernels import FLASH, commit, git

ROOT = Path(__file__).parents[2]
OVER = FLASH.replace("{n: 2}", "{n: 10}")
MORE = FLASH.replace("versions: n", "versions: 3")
LINE = "flash_fwd  arena 114688 -> 131072 B (+16384, +14.3 %)  sm_90 2 -> 1 blocks/SM  OK"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables under which `smemdsl` is this checkout, and git has no settings."""
    commands = tmp_path / "bin"
    commands.mkdir()
    script = commands / "smemdsl"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m smemdsl "$@"\n')
    script.chmod(0o755)
    hidden = ("GIT_", "GITHUB_", "PRE_COMMIT", "NO_COLOR", "FORCE_COLOR")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
    return kept | {
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A throw-away repository with one scenario."""
    folder = tmp_path / "repo"
    commit(folder, {"scenarios/flash.yaml": FLASH})
    return folder


def shell(folder: Path, environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command; both streams together."""
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


# -- pre-commit --


def pre_commit(repo: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pre-commit itself."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    return shell(repo, environment, sys.executable, "-m", "pre_commit", *arguments)


def configure(repo: Path, **changes: dict[str, Any]) -> None:
    """A configuration with the hooks as they are published, run by the `smemdsl` on the path."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    local = [
        hook | {"language": "system"} | changes.get(hook["id"].removeprefix("smemdsl-"), {}) for hook in hooks
    ]
    text = yaml.safe_dump({"repos": [{"repo": "local", "hooks": local}]})
    commit(repo, {".pre-commit-config.yaml": text})


def test_manifest_is_valid(repo: Path, environment: dict[str, str]) -> None:
    """pre-commit takes the hooks file for one."""
    result = pre_commit(repo, environment, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
    assert result.returncode == 0, result.stdout


def test_sound_commit_passes(repo: Path, environment: dict[str, str]) -> None:
    """Both hooks pass on what fits."""
    configure(repo)
    result = pre_commit(repo, environment, "run", "--all-files")
    assert result.returncode == 0, result.stdout
    assert result.stdout.count("Passed") == 2


def test_bad_commit_is_stopped(repo: Path, environment: dict[str, str]) -> None:
    """What is over fails both hooks, and both say what it is."""
    configure(repo)
    (repo / "scenarios/flash.yaml").write_text(OVER)
    git(repo, "add", "-A")
    result = pre_commit(repo, environment, "run")
    assert result.returncode == 1
    assert result.stdout.count("Failed") == 2
    assert "newly over: sm_90, 245760 of 232448 B, 13312 B too much" in result.stdout


def test_growth_is_shown_and_passes(repo: Path, environment: dict[str, str]) -> None:
    """The diff hook speaks also where nothing is wrong."""
    configure(repo)
    (repo / "scenarios/flash.yaml").write_text(MORE)
    git(repo, "add", "-A")
    result = pre_commit(repo, environment, "run")
    assert result.returncode == 0, result.stdout
    assert LINE in result.stdout


def test_files_in_batches(repo: Path, environment: dict[str, str]) -> None:
    """However many runs pre-commit makes of one list, one bad file fails the hook and is reported once."""
    padding = "x" * 180
    names = [f"scenarios/{i:04}{padding}.yaml" for i in range(900)]  # more than one command line takes
    small = "smemdsl: 1\nname: {}\nbuffers: {{a: {{bytes: 16}}}}\n"
    commit(repo, {name: small.format(f"k{i}") for i, name in enumerate(names)} | {names[450]: OVER})
    configure(repo, check={"args": ["--format", "concise"]})
    result = pre_commit(repo, environment, "run", "smemdsl-check", "--all-files", "--verbose")
    assert result.returncode == 1
    assert result.stdout.count("error[over-budget]") == 1


# -- the action --


def action_step(name: str) -> dict[str, Any]:
    """A step of the action."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    step: dict[str, Any] = next(step for step in action["runs"]["steps"] if step["name"] == name)
    return step


def run_step(
    repo: Path, environment: dict[str, str], name: str, **inputs: str
) -> subprocess.CompletedProcess[str]:
    """Run the script of a step as the runner does; a failure of any line ends it."""
    step = action_step(name)
    assert step["shell"] == "bash"
    assert "${{" not in step["run"]
    assert set(inputs) == set(step["env"])
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(repo.parent / "summary.md")}
    script = repo.parent / "script.sh"
    script.write_text(step["run"])
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    return shell(repo, environment | github | inputs, *command)


def test_action_checks_and_annotates(repo: Path, environment: dict[str, str]) -> None:
    """The check step fails on what is over, at its line, with a table in the summary."""
    passed = run_step(repo, environment, "smemdsl check", PATHS="scenarios", ARGUMENTS="")
    assert passed.returncode == 0, passed.stdout
    (repo / "scenarios/flash.yaml").write_text(OVER)
    result = run_step(repo, environment, "smemdsl check", PATHS="scenarios/*.yaml other", ARGUMENTS="")
    assert result.returncode == 2, result.stdout
    result = run_step(
        repo, environment, "smemdsl check", PATHS="scenarios/*.yaml", ARGUMENTS="--policy struct"
    )
    assert result.returncode == 1, result.stdout
    assert "::error file=scenarios/flash.yaml,title=over-budget,line=8,col=3," in result.stdout
    assert "| flash_fwd" in (repo.parent / "summary.md").read_text()


@pytest.mark.parametrize(("limit", "code"), [("", 0), ("5%", 1), ("16 KiB", 0)])
def test_action_shows_the_diff(repo: Path, environment: dict[str, str], limit: str, code: int) -> None:
    """The diff step compares with the base branch of the remote, and puts the table into the summary."""
    clone = repo.parent / "clone"
    git(repo, "branch", "-m", "trunk")
    git(repo.parent, "clone", "-q", "--depth=1", f"file://{repo}", str(clone))
    (clone / "scenarios/flash.yaml").write_text(MORE)
    inputs = {"PATHS": "scenarios", "BASE": "trunk", "MAX_GROWTH": limit}
    result = run_step(clone, environment, "smemdsl diff", **inputs)
    assert result.returncode == code, result.stdout
    assert LINE in result.stdout
    assert "| flash_fwd  | sm_90 2 -&gt; 1 blocks/SM  OK |" in (repo.parent / "summary.md").read_text()


def test_action_says_nothing_where_nothing_changed(repo: Path, environment: dict[str, str]) -> None:
    """One line in the log, no word in the summary."""
    git(repo, "remote", "add", "origin", str(repo))
    inputs = {"PATHS": "scenarios", "BASE": git(repo, "branch", "--show-current").strip(), "MAX_GROWTH": ""}
    result = run_step(repo, environment, "smemdsl diff", **inputs)
    assert (result.returncode, result.stdout) == (0, "no change: 1 scenario\n")
    assert (repo.parent / "summary.md").read_text() == ""


# -- docs/ci.md --


def blocks(kind: str) -> list[str]:
    """The code blocks of a kind in docs/ci.md."""
    parts = (ROOT / "docs/ci.md").read_text(encoding="utf-8").split(f"```{kind}\n")[1:]
    return [part.partition("```")[0] for part in parts]


def test_yaml_of_the_page_is_what_it_says(repo: Path, environment: dict[str, str]) -> None:
    """The configurations parse, name hooks that exist, and pass inputs that the action has."""
    local, workflow, _ = map(yaml.safe_load, blocks("yaml"))
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert {hook["id"] for hook in local["repos"][0]["hooks"]} == hooks
    given = workflow["jobs"]["smemdsl"]["steps"][1]["with"]
    assert given.keys() <= yaml.safe_load((ROOT / "action.yml").read_text())["inputs"].keys()


def test_gitlab_job_runs(repo: Path, environment: dict[str, str]) -> None:
    """The script of the GitLab job passes on a sound branch, and leaves the report that it names."""
    job = yaml.safe_load(blocks("yaml")[2])["smemdsl"]
    git(repo, "remote", "add", "origin", str(repo))
    script = [line for line in job["script"] if not line.startswith("pip ")]
    assert len(script) == len(job["script"]) - 1
    branch = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": git(repo, "branch", "--show-current").strip()}
    result = shell(repo, environment | branch, "sh", "-e", "-c", "\n".join(script))
    assert result.returncode == 0, result.stdout
    assert (repo / job["artifacts"]["reports"]["junit"]).read_text().startswith("<?xml")


def test_make_line_runs(repo: Path, environment: dict[str, str]) -> None:
    """The one-liner is a Makefile."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (repo / "Makefile").write_text(blocks("make")[0])
    assert "1 scenario: 1 OK" in shell(repo, environment, "make", "check").stdout
    (repo / "scenarios/flash.yaml").write_text(OVER)
    assert shell(repo, environment, "make", "check").returncode == 2
