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
