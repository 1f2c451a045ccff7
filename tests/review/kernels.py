"""A kernel whose numbers can be worked out by hand, and runs of the command line on it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from click.testing import CliRunner, Result

from smemdsl.cli import cli

FLASH = """\
smemdsl: 1
name: flash_fwd
params: {n: 2}
budget: sm_90
timeline: [load, mma, store]
buffers:
  Q_shared: {bytes: 48 KiB}
  K_shared: {bytes: 16 KiB, versions: n}
  V_shared: {bytes: 16 KiB, versions: 2, access: [load, mma]}
  O_shared: {bytes: 16 KiB, access: [store]}
sweep: {n: 1..8}
"""
"""Q 49152 + K 32768 + V 32768 B live at once, O in V's place: an arena of 114688 B.

A block takes 114688 + 1024 B of the 233472 B of an sm_90 SM: 2 run. One K more: 131072 B, 1 runs. The largest
n that fits 232448 B: 49152 + 32768 + n * 16384 gives 9, of an axis that ends at 8.
"""


def smemdsl(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """Run the command line; stdout and stderr apart."""
    quiet = {"GITHUB_ACTIONS": "", "GITHUB_STEP_SUMMARY": "", "NO_COLOR": "", "FORCE_COLOR": ""}
    return CliRunner().invoke(cli, list(arguments), env=quiet | (env or {}))


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, whatever the user's own settings are."""
    identity = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=inherited | identity | settings,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def commit(folder: Path, files: dict[str, str]) -> None:
    """Write files, and commit everything that is in the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
