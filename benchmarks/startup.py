"""Start-up, against the import of click alone."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import files
from benchmarks.measure import Line, pair


def run() -> Iterator[Line]:
    """`--version`, and `check` of one file."""
    ours = Path(sys.executable).with_name("smemdsl")
    if not ours.exists():
        print("startup: needs smemdsl installed beside this Python", file=sys.stderr)
        return
    peer = [sys.executable, "-c", "import click"]
    with tempfile.TemporaryDirectory() as name:
        (path,) = files.write(Path(name), 1)
        for label, arguments, wanted in (
            ("--version", ["--version"], "1.6"),
            ("check FILE", ["check", str(path)], "2.2"),
        ):
            a, b, ratio = pair([str(ours), *arguments], peer, 15)
            yield Line(
                f"smemdsl {label}",
                f"{a * 1e3:.0f} ms",
                f"{b * 1e3:.0f} ms",
                f"{ratio:.2f}",
                f"<= {wanted}",
                "import click",
            )
