"""`smemdsl diff --base`: the working tree against a revision, read from git's objects."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.review.kernels import FLASH, commit, git, smemdsl

SMALL = "smemdsl: 1\nname: small\nbudget: sm_90\nbuffers: {a: {bytes: 16 KiB}}\n"
MORE = FLASH.replace("versions: n", "versions: 3")
LINE = "flash_fwd  arena 114688 -> 131072 B (+16384, +14.3 %)  sm_90 2 -> 1 blocks/SM  OK"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two scenarios and YAML that is none, as the current folder."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    files = {"scenarios/flash.yaml": FLASH, "scenarios/small.yml": SMALL, "compose.yaml": "services: {}\n"}
    commit(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_changed(repo: Path) -> None:
    """One line that says so, exit code 0."""
    result = smemdsl("diff", "--base", "HEAD")
    assert (result.exit_code, result.stdout) == (0, "no change: 2 scenarios\n")


def test_what_is_not_committed_counts(repo: Path) -> None:
    """The new side is the working tree, staged or not."""
    Path("scenarios/flash.yaml").write_text(MORE)
    Path("scenarios/new.yaml").write_text(SMALL.replace("small", "new"))
    shown = smemdsl("diff", "--base", "HEAD").stdout.splitlines()
    assert LINE in shown
    assert "new  added  arena 16384 B  sm_90 13 blocks/SM  OK" in shown
    assert shown[-1] == "1 changed, 1 added, 1 unchanged"


def test_any_revision(repo: Path) -> None:
    """A tag, a branch or HEAD~1: whatever git resolves to a commit."""
    git(repo, "tag", "-a", "v1", "-m", "x")
    commit(repo, {"scenarios/flash.yaml": MORE})
    for revision in ("v1", "HEAD~1", "HEAD^"):
        assert LINE in smemdsl("diff", "--base", revision).stdout
    assert smemdsl("diff", "--base", "HEAD").stdout == "no change: 2 scenarios\n"


@pytest.mark.parametrize("staged", [True, False])
def test_renamed_files_are_followed(repo: Path, staged: bool) -> None:
    """A file that moved and changed is one change with both paths, not one gone and one new."""
    nameless = FLASH.replace("name: flash_fwd\n", "")
    commit(repo, {"scenarios/flash.yaml": nameless})
    Path("kernels").mkdir()
    Path("scenarios/flash.yaml").rename("kernels/attention.yaml")
    Path("kernels/attention.yaml").write_text(
        nameless.replace("versions: n", "versions: 3" if staged else "versions: n")
    )
    if staged:
        git(repo, "add", "-A")
    shown = smemdsl("diff", "--base", "HEAD").stdout
    if staged:
        assert shown.startswith("attention  arena 114688 -> 131072 B (+16384, +14.3 %)")
        assert "  file scenarios/flash.yaml -> kernels/attention.yaml\n" in shown
    else:
        assert shown == "no change: 2 scenarios\n"


def test_from_a_folder_below_the_top(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are those of the current folder, on both sides."""
    Path("scenarios/flash.yaml").write_text(MORE)
    monkeypatch.chdir("scenarios")
    for paths in ([], ["."], ["flash.yaml"], ["*.yaml"], ["../scenarios"]):
        assert LINE in smemdsl("diff", "--base", "HEAD", *paths).stdout
    assert smemdsl("diff", "--base", "HEAD", "small.yml").stdout == "no change: 1 scenario\n"


def test_what_is_gone_was_removed(repo: Path) -> None:
    """A path that only the revision has is not an error, nor is a folder that is empty now."""
    Path("scenarios/flash.yaml").unlink()
    for path in ("scenarios", "scenarios/flash.yaml", "scenarios/*.yaml"):
        result = smemdsl("diff", "--base", "HEAD", path)
        assert "flash_fwd  removed  arena 114688 B  sm_90 2 blocks/SM  OK" in result.stdout
        assert result.exit_code == 0
    Path("scenarios/small.yml").unlink()
    assert "2 removed, 0 unchanged" in smemdsl("diff", "--base", "HEAD", "scenarios").stdout
    assert smemdsl("diff", "--base", "HEAD", "nowhere").exit_code == 2


def test_ignored_files_do_not_count(repo: Path) -> None:
    """Without a PATH, what git ignores is not a scenario of the working tree."""
    Path(".gitignore").write_text("build/\n")
    Path("build").mkdir()
    Path("build/k.yaml").write_text(FLASH)
    assert smemdsl("diff", "--base", "HEAD").stdout == "no change: 2 scenarios\n"


def test_a_scenario_that_was_invalid_is_added(repo: Path) -> None:
    """Nobody can mend the past: what the revision has wrong is a warning and does not count."""
    commit(repo, {"scenarios/flash.yaml": "smemdsl: 1\n"})
    Path("scenarios/flash.yaml").write_text(FLASH)
    result = smemdsl("diff", "--base", "HEAD")
    assert result.exit_code == 0
    assert "HEAD:scenarios/flash.yaml:1:1: warning[missing-key]" in result.stderr
    assert "flash_fwd  added" in result.stdout


def test_names_that_are_no_ascii(repo: Path) -> None:
    """Paths with blanks and letters beyond ASCII are the same on both sides."""
    name = "scenarios/f\N{LATIN SMALL LETTER E WITH ACUTE} x.yaml"
    commit(repo, {name: FLASH.replace("flash_fwd", "odd")})
    Path(name).write_text(MORE.replace("flash_fwd", "odd"))
    for paths in ([], [name]):
        assert LINE.replace("flash_fwd", "odd") in smemdsl("diff", "--base", "HEAD", *paths).stdout


def test_the_checkout_is_not_touched(repo: Path) -> None:
    """Neither the working tree nor the index nor HEAD changes."""
    Path("scenarios/flash.yaml").write_text(MORE)
    before = git(repo, "status", "--porcelain=v2", "--branch")
    index = Path(".git/index").read_bytes()
    smemdsl("diff", "--base", "HEAD~0", "scenarios")
    assert Path(".git/index").read_bytes() == index
    assert git(repo, "status", "--porcelain=v2", "--branch") == before


def _branch_off(repo: Path) -> str:
    """A branch that makes flash larger, while main adds a scenario; the branch is checked out."""
    main = git(repo, "branch", "--show-current").strip()
    git(repo, "checkout", "-q", "-b", "feature")
    commit(repo, {"scenarios/flash.yaml": MORE})
    git(repo, "checkout", "-q", main)
    commit(repo, {"scenarios/late.yaml": SMALL.replace("small", "late")})
    git(repo, "checkout", "-q", "feature")
    return main


def test_what_the_base_did_since_is_not_the_branchs(repo: Path) -> None:
    """The old side is where HEAD left the revision, and a note says which commit that is."""
    main = _branch_off(repo)
    result = smemdsl("diff", "--base", main, "scenarios")
    assert result.stdout.startswith(f"{LINE}\n")
    assert result.stdout.endswith("\n1 changed, 1 unchanged\n")
    left = git(repo, "merge-base", main, "HEAD")[:7]
    assert f"note: compared with {left}" in result.stderr
    assert "moved on" not in smemdsl("diff", "--base", "HEAD~1").stderr


def test_two_revisions_are_compared_as_they_are(repo: Path) -> None:
    """OLD and NEW are named: nothing is looked up between them."""
    main = _branch_off(repo)
    assert "late  removed" in smemdsl("diff", main, "HEAD").stdout


def test_a_history_that_is_not_there(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Without a common commit the tip is the old side; a shallow clone learns how to get more."""
    main = _branch_off(repo)
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth=1", "--branch=feature", repo.as_uri(), ".")
    git(clone, "fetch", "-q", "--depth=1", "origin", main)
    os.chdir(clone)
    result = smemdsl("diff", "--base", "FETCH_HEAD", "scenarios")
    assert "late  removed" in result.stdout
    assert "no commit in common in this shallow clone; `git fetch --unshallow` brings more" in result.stderr
    git(clone, "fetch", "-q", "--unshallow", "origin", main, "feature")
    assert smemdsl("diff", "--base", "FETCH_HEAD", "scenarios").stdout.endswith("1 changed, 1 unchanged\n")
    assert "brings one" not in smemdsl("diff", "--base", "nothing").stderr


def test_unrelated_histories(repo: Path) -> None:
    """A revision that shares nothing with HEAD is the old side itself."""
    main = git(repo, "branch", "--show-current").strip()
    git(repo, "checkout", "-q", "--orphan", "other")
    commit(repo, {"scenarios/flash.yaml": MORE})
    result = smemdsl("diff", "--base", main)
    assert LINE in result.stdout
    assert f"note: {main} and HEAD have no commit in common: compared with the tip of {main}" in result.stderr


def test_the_repository_is_that_of_the_paths(
    repo: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the current folder is; messages and renames agree with the paths as they were given."""
    outside = tmp_path_factory.mktemp("outside")
    monkeypatch.chdir(outside)
    (repo / "scenarios/flash.yaml").rename(repo / "scenarios/moved.yaml")
    git(repo, "add", "-A")
    relative = os.path.relpath(repo / "scenarios", outside)
    for path in (str(repo / "scenarios"), relative, str(repo / "scenarios/*.y*ml")):
        assert smemdsl("diff", "--base", "HEAD", path).stdout.startswith("no change: "), path
    (repo / "scenarios/moved.yaml").write_text(MORE)
    assert LINE in smemdsl("diff", "--base", "HEAD", str(repo / "scenarios")).stdout


def test_paths_of_two_repositories(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A revision is one of one repository."""
    other = tmp_path_factory.mktemp("other")
    commit(other, {"scenarios/small.yaml": SMALL})
    result = smemdsl("diff", "--base", "HEAD", "scenarios", str(other))
    assert result.exit_code == 2
    assert "the paths lie in 2 repositories" in result.stderr


def test_nothing_compared_is_no_success(repo: Path) -> None:
    """A path that is not there, or a file that is not valid, is never `no change`."""
    result = smemdsl("diff", "--base", "HEAD", "nosuch")
    assert (result.exit_code, result.stdout) == (2, "nothing was compared: 1 invalid\n")
    Path("scenarios/broken.yaml").write_text("smemdsl: 1\nbuffers: {a: {}}\n")
    result = smemdsl("diff", "--base", "HEAD", "scenarios")
    assert (result.exit_code, result.stdout) == (2, "0 changed, 2 unchanged, 1 invalid\n")
    Path("scenarios/flash.yaml").write_text(MORE)
    assert smemdsl("diff", "--base", "HEAD", "scenarios").stdout.endswith(
        "\n1 changed, 1 unchanged, 1 invalid\n"
    )


@pytest.mark.parametrize(
    ("revision", "hint"),
    [
        ("main..HEAD", "one revision, not a range"),
        ("main...feat", "one revision, not a range"),
        ("^main", "one revision, not a range"),
        ("HEAD^!", "one revision, not a range"),
        ("--help", "--base takes a revision"),
        ("v2.1", "did you mean v2.0?"),
    ],
)
def test_hints_of_what_is_no_revision(repo: Path, revision: str, hint: str) -> None:
    """The hint is about what was written; a shallow clone has to do with none of these."""
    git(repo, "tag", "v2.0")
    result = smemdsl("diff", "--base", revision)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert "shallow" not in result.stderr


@pytest.mark.parametrize("revision", ["nothing", "--output=x", "-h", "HEAD:scenarios", ""])
def test_what_is_no_revision(repo: Path, revision: str) -> None:
    """A name that git does not resolve to a commit is wrong usage; none is taken for a flag of git."""
    assert smemdsl("diff", f"--base={revision}").exit_code == 2


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no repository, git's own words say so."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    result = smemdsl("diff", "--base", "HEAD")
    assert result.exit_code == 2
    assert "not a git repository" in result.stderr


def test_without_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without git gets a message, not a traceback."""
    monkeypatch.setenv("PATH", "")
    result = smemdsl("diff", "--base", "HEAD")
    assert result.exit_code == 2
    assert "error[git] git cannot be run" in result.stderr


def test_what_was_no_text_is_no_scenario(repo: Path) -> None:
    """A file of the revision that is not UTF-8 is a warning, and does not come out as one that is gone."""
    Path("scenarios/latin.yaml").write_bytes(b"smemdsl: 1\nname: caf\xe9\nbuffers: {}\n")
    commit(repo, {})
    Path("scenarios/latin.yaml").write_text("smemdsl: 1\nbuffers: {}\n")
    result = smemdsl("diff", "--base", "HEAD", "scenarios")
    assert "HEAD:scenarios/latin.yaml: warning[encoding]" in result.stderr
    assert result.stdout.splitlines()[-1] == "1 added, 2 unchanged"


def test_what_is_still_invalid_is_told_once(repo: Path) -> None:
    """The error of the working tree says it; the same of the past does not come on top."""
    commit(repo, {"scenarios/flash.yaml": "smemdsl: 1\n"})
    result = smemdsl("diff", "--base", "HEAD")
    assert result.exit_code == 2
    assert result.stderr.count("[missing-key]") == 1


def test_two_revisions(repo: Path) -> None:
    """Either side may be a revision; a path of that name goes before it."""
    commit(repo, {"scenarios/flash.yaml": MORE})
    assert LINE in smemdsl("diff", "HEAD~1", "HEAD").stdout
    assert LINE in smemdsl("diff", "HEAD~1", "scenarios").stdout
    assert smemdsl("diff", "HEAD~1", "HEAD~1").stdout == "no change: 2 scenarios\n"
    assert smemdsl("diff", "HEAD~9", "HEAD").exit_code == 2
    commit(repo, {"HEAD/flash.yaml": FLASH})
    assert LINE not in smemdsl("diff", "HEAD~2", "HEAD").stdout
