"""`check` of 1,000 files and of one, against check-jsonschema with our schema, which judges nothing."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import files
from benchmarks.measure import Line, pair
from smemdsl.scenario.schema import schema_text

PEER = "check-jsonschema with our schema"


def run() -> Iterator[Line]:
    """The two lines; nothing where the peer is not installed."""
    peer = Path(sys.executable).with_name("check-jsonschema")
    ours = Path(sys.executable).with_name("smemdsl")
    if not peer.exists() or not ours.exists():
        print("check: needs smemdsl and check-jsonschema installed beside this Python", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        schema = folder / "scenario.schema.json"
        schema.write_text(schema_text(), encoding="utf-8")
        paths = files.write(folder, 1000)
        for label, count, runs, wanted in (
            ("1,000 files of 40 lines", 1000, 3, "0.10"),
            ("one file", 1, 9, "0.35"),
        ):
            chosen = [str(path) for path in paths[:count]]
            target = [str(folder)] if count > 1 else chosen
            a, b, ratio = pair(
                [str(ours), "check", *target], [str(peer), "--schemafile", str(schema), *chosen], runs
            )
            yield Line(
                f"check {label}",
                f"{a * 1e3:.0f} ms",
                f"{b * 1e3:.0f} ms",
                f"{ratio:.3f}",
                f"<= {wanted}",
                PEER,
            )
