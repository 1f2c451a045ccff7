"""The console blocks of a page: every command is run, and its output stands below it.

A page is read from the top. A fence of `console` holds commands after `$ `, their continuation after `> `,
and what a terminal shows, stdout and stderr together. A fence with `title="NAME"` is a file, written where
the page comes to it. All of a page runs in one shell in one folder: what an earlier command wrote or set is
there for a later one. From the start there are the files beside the page that are not pages; for a page at
the top of the checkout, `scenarios/`. Above a fence, `<!-- needs: MODULE -->` says that its commands run
only where that module of Python is installed; elsewhere their output stays as it is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TIME_LIMIT = 300
"""Seconds for all commands of a page; a compiler takes some twenty of them."""
_MARK = "@@ end of output @@"
_FENCE = re.compile(
    r"(?:^<!-- needs: (?P<needs>[\w.]+) -->\n)?^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'\btitle="([^"]+)"')
_COMMAND = re.compile(
    r"^\$ (?P<command>[^\n]*(?:\n> [^\n]*)*)\n(?P<output>(?:(?!\$ )[^\n]*\n)*)", re.MULTILINE
)


class Fence(NamedTuple):
    """A fenced block of a page."""

    language: str
    title: str | None
    """Name of the file that it is; None where it is none."""
    body: str
    needs: str | None
    """The module without which its commands are not run."""
    start: int
    """Where its body begins in the page."""

    @property
    def runnable(self) -> bool:
        """Whether what it needs is here."""
        return self.needs is None or find_spec(self.needs) is not None


def pages() -> list[Path]:
    """Every page that people wrote: the first pages and those of the site."""
    return [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a page."""
    for found in _FENCE.finditer(text):
        title = _TITLE.search(found["info"])
        language = found["info"].partition(" ")[0]
        yield Fence(language, title[1] if title else None, found["body"], found["needs"], found.start("body"))


def commands(body: str) -> list[str]:
    """The commands of a fence, each on the lines that a shell gets."""
    return [found["command"].replace("\n> ", "\n") for found in _COMMAND.finditer(body)]


def skipped(text: str) -> set[str]:
    """The modules for want of which commands of a page are not run."""
    return {fence.needs for fence in fences(text) if fence.needs and not fence.runnable}


def rewritten(page: Path) -> str:
    """The page with the output that its commands have."""
    text = page.read_text(encoding="utf-8")
    blocks = [fence for fence in fences(text) if fence.title or fence.language == "console"]
    if not any(map(_runs, blocks)):
        return text
    outputs = iter(_run(_script(blocks), page.parent))
    pieces, at = [], 0
    for fence in blocks:
        if _runs(fence):
            body = _COMMAND.sub(lambda found: f"$ {found['command']}\n{next(outputs)}", fence.body)
            pieces += [text[at : fence.start], body]
            at = fence.start + len(fence.body)
    return "".join([*pieces, text[at:]])


def _runs(fence: Fence) -> bool:
    return fence.language == "console" and fence.runnable


def _script(blocks: list[Fence]) -> str:
    """The lines of a shell that do all that a page shows; `$?` is that of the command before."""
    lines = []
    for fence in blocks:
        if fence.title:
            lines += [f"cat > '{fence.title}' <<'{_MARK}'", f"{fence.body}{_MARK}"]
        elif _runs(fence):
            lines += [_command(line) for line in commands(fence.body)]
    return "\n".join(lines)


def _command(line: str) -> str:
    return f"{{ {line}\n}} 2>&1; status=$?; printf '\\n{_MARK}\\n'; (exit $status)"


def _run(script: str, beside: Path) -> list[str]:
    """The output of each command of a script, in a folder with what lies beside the page."""
    with scratch(beside) as (here, environment):
        shown = subprocess.run(
            ["sh", "-c", script],
            cwd=here,
            env={**environment, "COLUMNS": "80"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIME_LIMIT,
        )
    if shown.stderr:
        raise ValueError(f"the shell says: {shown.stderr}")
    return shown.stdout.split(f"\n{_MARK}\n")[:-1]


@contextmanager
def scratch(beside: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with what lies beside a page, and an environment with the `smemdsl` of this checkout."""
    with tempfile.TemporaryDirectory() as top:
        home, programs, here = (Path(top, name) for name in ("home", "bin", "work"))
        for folder in (home, programs, here):
            folder.mkdir()
        program = programs / "smemdsl"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m smemdsl "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        _lay(here, beside)
        yield here, _environment(home, programs)


def _lay(here: Path, beside: Path) -> None:
    if beside == ROOT:
        shutil.copytree(ROOT / "scenarios", here / "scenarios")
        return
    for file in beside.iterdir():
        if file.is_file() and file.suffix != ".md":
            shutil.copy(file, here)


def _environment(home: Path, programs: Path) -> dict[str, str]:
    """What a command sees: the same everywhere, whoever runs it."""
    who = {"NAME": "A Reader", "EMAIL": "reader@example.org", "DATE": "2026-01-01T00:00:00Z"}
    return {
        "PATH": f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_{name}": value for role in ("AUTHOR", "COMMITTER") for name, value in who.items()},
    }
