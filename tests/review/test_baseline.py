"""`check --baseline`: only what is worse than a stored result, and a failure for that alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.review.kernels import FLASH, smemdsl

OVER = FLASH.replace("flash_fwd", "known").replace("{n: 2}", "{n: 10}")
"""245760 B of 232448 B, as everybody knows."""
WORSE = [
    pytest.param("versions: n", "versions: 3", "114688 -> 131072 B (+16384, +14.3 %)", id="grew"),
    pytest.param("{n: 2}", "{n: 10}", "OK -> OVER", id="newly over"),
    pytest.param("sweep: {n: 1..8}", "expect: {arena: 1}", "OK -> FAIL", id="an expectation broke"),
    pytest.param(
        "{bytes: 48 KiB}", "{bytes: 48 KiB}\n  R: {bytes: 8, versions: 128}", "+1024", id="a new buffer"
    ),
]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two scenarios, one of them over, and what `check` says of them, in a file."""
    monkeypatch.chdir(tmp_path)
    Path("k").mkdir()
    Path("k/flash.yaml").write_text(FLASH)
    Path("k/known.yaml").write_text(OVER)
    result = smemdsl("check", "k", "--output", "json:base.json")
    assert result.exit_code == 1
    return tmp_path


def test_what_is_known_passes(stored: Path) -> None:
    """A scenario that was over before is no news."""
    result = smemdsl("check", "k", "--baseline", "base.json")
    assert (result.exit_code, result.stdout) == (0, "nothing is worse than base.json: 2 scenarios\n")


@pytest.mark.parametrize(("old", "new", "said"), WORSE)
def test_what_is_worse_fails(stored: Path, old: str, new: str, said: str) -> None:
    """It alone is printed, with both values and at a line of its file."""
    assert old in FLASH
    Path("k/flash.yaml").write_text(FLASH.replace(old, new))
    result = smemdsl("check", "k", "--baseline", "base.json")
    assert result.exit_code == 1
    line = 8 if "10" in new else 7  # the largest buffer
    assert f"k/flash.yaml:{line}:3: error[worse-than-baseline] flash_fwd  arena " in result.stderr
    assert said in result.stderr
    assert "known" not in result.output
    assert result.stdout.endswith("1 of 2 scenarios is worse than base.json\n")


@pytest.mark.parametrize(("old", "new"), [("versions: n", "versions: 1"), ("48 KiB", "32 KiB")])
def test_what_is_better_is_silent(stored: Path, old: str, new: str) -> None:
    """A kernel may shrink, also one that stays over."""
    for name, text in (("flash", FLASH), ("known", OVER)):
        Path(f"k/{name}.yaml").write_text(text.replace(old, new))
    assert smemdsl("check", "k", "--baseline", "base.json").exit_code == 0


def test_known_but_worse(stored: Path) -> None:
    """What is over already may not take more still."""
    Path("k/known.yaml").write_text(OVER.replace("{n: 10}", "{n: 11}"))
    result = smemdsl("check", "k", "--baseline", "base.json")
    assert result.exit_code == 1
    assert "245760 -> 262144 B" in result.stderr


def test_new_scenarios_must_pass(stored: Path) -> None:
    """One that the baseline does not have is worse if it fails, and nothing if it fits."""
    Path("k/new.yaml").write_text(FLASH.replace("flash_fwd", "new"))
    assert smemdsl("check", "k", "--baseline", "base.json").exit_code == 0
    Path("k/new.yaml").write_text(OVER.replace("known", "new"))
    result = smemdsl("check", "k", "--baseline", "base.json")
    assert result.exit_code == 1
    assert "new  added  arena 245760 B" in result.stderr


def test_every_format_has_it(stored: Path) -> None:
    """The finding is a diagnostic like any other."""
    Path("k/flash.yaml").write_text(FLASH.replace("versions: n", "versions: 3"))
    for style in ("concise", "github", "junit", "sarif", "json", "markdown"):
        result = smemdsl("check", "k", "--baseline", "base.json", "--format", style)
        assert result.exit_code == 1
        assert "flash_fwd" in result.stdout
        assert "known" not in result.stdout


def test_baseline_that_is_none(stored: Path) -> None:
    """A file that is missing or no result ends the run."""
    assert smemdsl("check", "k", "--baseline", "missing.json").exit_code == 2
    assert smemdsl("check", "k", "--baseline", "k/flash.yaml").exit_code == 2


def test_invalid_scenarios_stay_errors(stored: Path) -> None:
    """No baseline excuses an input that cannot be judged."""
    Path("k/flash.yaml").write_text("smemdsl: 1\n")
    result = smemdsl("check", "k", "--baseline", "base.json")
    assert result.exit_code == 2
    assert "error[missing-key]" in result.stderr


def test_one_scenario_of_another_name_is_new(stored: Path) -> None:
    """What a file of another name, text and name holds is no worse version of the only one that was known."""
    assert smemdsl("check", "k/flash.yaml", "--output", "json:one.json").exit_code == 0
    Path("other.yaml").write_text(FLASH.replace("flash_fwd", "other").replace("{n: 2}", "{n: 7}"))
    assert smemdsl("check", "other.yaml", "--baseline", "one.json").exit_code == 0
    Path("other.yaml").write_text(OVER.replace("known", "other"))
    result = smemdsl("check", "other.yaml", "--baseline", "one.json")
    assert result.exit_code == 1
    assert "other  added  arena 245760 B" in result.stderr


@pytest.mark.parametrize(("file", "name"), [("k/flash.yaml", "renamed"), ("moved.yaml", "flash_fwd")])
def test_a_rename_is_followed_and_said(stored: Path, file: str, name: str) -> None:
    """The path or the name tells which it was; the other is said to have changed."""
    assert smemdsl("check", "k/flash.yaml", "--output", "json:one.json").exit_code == 0
    Path(file).write_text(FLASH.replace("flash_fwd", name).replace("{n: 2}", "{n: 3}"))
    result = smemdsl("check", file, "--baseline", "one.json")
    assert result.exit_code == 1
    assert f"{name}  arena 114688 -> 131072 B" in result.stderr
    said = "name flash_fwd -> renamed" if name == "renamed" else "file k/flash.yaml -> moved.yaml"
    assert said in result.stderr
