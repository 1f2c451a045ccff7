"""The README shows what the program prints: every command in it is run, and its output compared.

`python tests/test_readme.py` writes the outputs into the README; read the difference.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import smemdsl
from smemdsl.api import loads

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)


def run(command: str) -> str:
    """What a shell shows of a command: stdout and stderr together."""
    program = f'"{sys.executable}" -m smemdsl'
    line = re.sub(r"\bsmemdsl (?=[a-z])", lambda _: f"{program} ", command)
    return subprocess.run(
        ["sh", "-c", f"{{ {line}; }} 2>&1"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    ).stdout


def commands() -> list[tuple[str, str]]:
    """Each command of the README and the output that it shows."""
    return [(found["command"], found["output"]) for found in CONSOLE.finditer(README.read_text("utf-8"))]


@pytest.mark.parametrize(("command", "output"), commands(), ids=[command for command, _ in commands()])
def test_output_is_as_shown(command: str, output: str) -> None:
    """A command of the README prints what the README says."""
    assert run(command) == output


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def test_the_format_page_is_a_sound_scenario() -> None:
    """The scenario that explains the format fits and keeps its promises."""
    verdicts = loads(blocks("yaml")[0], "README.md").own_verdicts()
    assert [verdict.verdict for verdict in verdicts] == ["OK", "OK"]


def test_the_program_is_sound() -> None:
    """The program of the README lowers, fits its target, and pipelines what its loop copies."""
    verdict = loads(blocks("yaml")[1], "README.md").check()
    versions = dict(zip("QKVO", verdict.plan.lowered.versions, strict=True))
    assert verdict.fits
    assert versions == {"Q": 1, "K": 2, "V": 2, "O": 1}


def test_the_library_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of the README runs, and its assertions hold."""
    monkeypatch.chdir(ROOT)
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {"smemdsl": smemdsl})


def update() -> None:
    """Rewrite the outputs in the README."""
    text = README.read_text("utf-8")
    text = CONSOLE.sub(lambda found: f"```console\n$ {found['command']}\n{run(found['command'])}```", text)
    README.write_text(text, "utf-8")


if __name__ == "__main__":
    update()
