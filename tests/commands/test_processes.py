"""The command as a process: streams that are closed, full, or read by nobody."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from smemdsl.cli import progress

ROOT = Path(__file__).parent.parent.parent
SMEMDSL = f"{shlex.quote(sys.executable)} -m smemdsl"
LONGEST = 120.0
"""Seconds to wait for what must come."""
MANY = "sweep gemm.yaml --set num_stages=1..20000 --format csv"


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell command in a folder, with `{}` for `smemdsl`."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path}
    line = command.replace("{}", SMEMDSL)
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("command", "code", "out", "err"),
    [
        ("{} check fits.yaml", 0, "1 scenario: 1 OK", ""),
        ("{} check over.yaml", 1, "1 scenario: 0 OK, 1 OVER", ""),
        ("{} check bad.yaml", 2, "1 scenario: 0 OK, 1 invalid", "bad.yaml:2:22: error[expr-name]"),
        ("cat fits.yaml | {} check -", 0, "1 scenario: 1 OK", ""),
        ("{} check - < /dev/null", 2, "1 scenario: 0 OK, 1 invalid", "<stdin>:1:1: error[empty]"),
        ("{} check - <&-", 2, "1 scenario: 0 OK, 1 invalid", "<stdin>: error[unreadable]"),
        ("{} check fits.yaml > /dev/full", 2, "", "error[unwritable]"),
        ("{} check bad.yaml 2> /dev/full", 2, "1 scenario: 0 OK, 1 invalid", ""),
        ("{} chek 2> /dev/full", 2, "", ""),
        ("{} check fits.yaml > /dev/full 2> /dev/full", 2, "", ""),
        ("{} check fits.yaml >&-", 2, "", "error[unwritable]"),
        ("{} sweep gemm.yaml --set num_stages=1,2 --format csv >&-", 2, "", "error[unwritable]"),
        ("{} sweep gemm.yaml --set num_stages=1,2 --output rows.csv >&- && cat rows.csv", 0, "\n2,", ""),
        ("{} --version >&-", 2, "", "error[unwritable]"),
        ("{} check fits.yaml >&- 2>&-", 2, "", ""),
        ("{} check bad.yaml 2>&-", 2, "1 scenario: 0 OK, 1 invalid", ""),
        (f"({{}} {MANY}; echo $? >&2) | head -n 1", 0, "num_stages,", "141\n"),
    ],
)
def test_streams(folder: Path, command: str, code: int, out: str, err: str) -> None:
    """The answer and the code do not depend on what becomes of the streams, and no story is told of it."""
    done = shell(command, folder)
    assert (done.returncode, out in done.stdout, err in done.stderr) == (code, True, True), done
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr


def test_long_work_is_told_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is being done is said once it takes a while, where a person looks on; and nowhere else."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, said in ((Terminal(), "note: judging much\n"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(progress, "_SOON", 0.0)
        with progress.told("judging much"):
            begin = monotonic()
            while stream.getvalue() != said or (not said and monotonic() < begin + 0.05):
                assert monotonic() < begin + LONGEST
                sleep(0.001)
        assert stream.getvalue() == said
