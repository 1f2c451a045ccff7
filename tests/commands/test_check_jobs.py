"""`check` on several cores: the same bytes as on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdsl.cli import judge_scenarios
from tests.commands.running import run


@pytest.mark.parametrize("style", ["auto", "json", "csv", "markdown", "concise", "github", "junit", "sarif"])
@pytest.mark.parametrize("more", [(), ("--budget", "sm_90", "--budget", "100"), ("--set", "num_stages=9")])
def test_any_number_of_processes(folder: Path, style: str, more: tuple[str, ...]) -> None:
    """Both streams and the exit code are those of one process, whatever is wrong with a file."""
    one = run("check", ".", "--format", style, "--jobs", "1", *more)
    assert run("check", ".", "--format", style, "--jobs", "3", *more) == one
    assert one.code == 2


def test_many_files(folder: Path) -> None:
    """The order of the files stays when they are shared out in parts."""
    for i in range(40):
        text = f"smemdsl: 1\nname: kernel{i:02}\nbuffers: {{a: {{bytes: {i}}}, b: {{bytes: 1}}}}\n"
        (folder / "empty" / f"{i:02}.yaml").write_text(text, encoding="utf-8")
    one = run("check", "empty", "--jobs", "1")
    assert run("check", "empty", "--jobs", "2") == one
    assert one.code == 0


def test_more_cores_where_there_is_much_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unasked, more than one process is used only for seconds of work, and the answer stays."""
    one = run("check", ".", "--jobs", "1")
    monkeypatch.setattr(judge_scenarios, "WORTH", 0.0)
    assert run("check", ".") == one
