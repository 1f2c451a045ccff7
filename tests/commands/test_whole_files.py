"""Files that a command writes are there whole or as they were."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from smemdsl.cli import cli

SCENARIO = "smemdsl: 1\nexpect: {arena: 5}\nbuffers: {A: {bytes: 128}}\n"


def _full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "arguments", [["check", "k.yaml", "--update-expect"], ["check", "k.yaml", "--output", "json:k.yaml.old"]]
)
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """The disk is full when the bytes are made safe: an error, the old file, and no part of a new one."""
    monkeypatch.chdir(tmp_path)
    for name in ("k.yaml", "k.yaml.old"):
        Path(name).write_text(SCENARIO)
    monkeypatch.setattr(os, "fsync", _full)
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2, result.output
    assert "error[unwritable]" in result.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == [SCENARIO, SCENARIO]


def test_a_host_keeps_its_patterns() -> None:
    """`Reader.NON_PRINTABLE` of a program that loads a scenario is what PyYAML makes it."""
    code = (
        "import re, smemdsl; smemdsl.loads('smemdsl: 1\\nbuffers: {a: {bytes: 16}}\\n');"
        "from yaml.reader import Reader; print(repr(re.sub(Reader.NON_PRINTABLE, '', 'a\\0b')))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "'ab'"


def test_init_keeps_what_was_there_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`init --force`: an error, the old file, and no part of a new one."""
    file = tmp_path / "k.yaml"
    file.write_text(SCENARIO)
    monkeypatch.setattr(os, "fsync", _full)
    result = CliRunner().invoke(cli, ["init", str(file), "--force"])
    assert (result.exit_code, "error[unwritable]" in result.stderr) == (2, True)
    assert [path.read_text() for path in tmp_path.iterdir()] == [SCENARIO]


def test_rights_and_links_stay(tmp_path: Path) -> None:
    """The file that a link leads to is replaced, with the rights that it had; the link stays one."""
    file, link = tmp_path / "k.yaml", tmp_path / "link.yaml"
    file.write_text(SCENARIO)
    file.chmod(0o640)
    link.symlink_to(file)
    assert CliRunner().invoke(cli, ["init", str(link), "--force"]).exit_code == 0
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert "name: epilogue" in file.read_text()


def test_a_folder_without_room_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file can be made beside it: one that is there and writable is written to, a new one is an error."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    file = tmp_path / "k.yaml"
    file.write_text(SCENARIO)
    monkeypatch.setattr("tempfile.mkstemp", refused)
    assert CliRunner().invoke(cli, ["init", str(file), "--force"]).exit_code == 0
    assert "name: epilogue" in file.read_text()
    result = CliRunner().invoke(cli, ["init", str(tmp_path / "new.yaml")])
    assert (result.exit_code, "error[unwritable]" in result.stderr) == (2, True)


@pytest.mark.parametrize("arguments", [["init", "a\0b"], ["check", "k.yaml", "--baseline", "a\0b"]])
def test_a_nul_in_a_path(arguments: list[str]) -> None:
    """It is wrong usage, not an error of smemdsl."""
    result = CliRunner().invoke(cli, arguments)
    assert (result.exit_code, "holds a NUL" in result.stderr) == (2, True)
