"""Reports of scenarios whose numbers can be worked out by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.review.kernels import smemdsl
from tests.texts import GEMM

ATTACK = '<img src=x onerror="document.title=1"></script><script>document.title=1</script>'
"""What must stay text, wherever it stands."""
BIDI = "\u202egnp.exe"
HOSTILE = f"""\
smemdsl: 1
name: {json.dumps(ATTACK)}
summary: {json.dumps(ATTACK + BIDI)}
timeline: [load, mma]
buffers:
  {json.dumps(ATTACK)}: {{bytes: 1024, access: [load]}}
  other: {{bytes: 2048, access: [mma]}}
  gone: {{bytes: 64, access: [load]}}
expect: {{arena: 1}}
"""
TABLE = f'id,lower,upper,size\n"{ATTACK.replace(chr(34), chr(34) * 2)}",0,4,64\nb,2,6,32\n'
"""A table of intervals, whose names are free."""
FILES = {
    "gemm.yaml": GEMM,
    "tiles.yaml": """\
smemdsl: 1
name: tiles
summary: One tile a stage.
params: {tile: 32, n: 3, wide: true}
constraints: [n != 4]
budget: [sm_80, 100 KiB]
buffers:
  A: {bytes: tile * 1024, versions: n}
sweep:
  n: 1..12
  wide: [true, false]
  tile: [16, 64]
expect: {fits: true}
""",
    "over.yaml": "smemdsl: 1\nname: over\nbudget: 64\nbuffers: {a: {bytes: 65}}\nexpect: {fits: false}\n",
    "missed.yaml": "smemdsl: 1\nname: missed\nbudget: 64\nbuffers: {a: {bytes: 64}}\nexpect: {arena: 32}\n",
    "bad.yaml": "smemdsl: 1\nbuffers: {a: {bytes: nope}}\n",
}


def folder_of(folder: Path, files: dict[str, str] | None = None) -> Path:
    """A folder with scenarios in it."""
    folder.mkdir(exist_ok=True)
    for name, text in (FILES if files is None else files).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def report(*arguments: str, code: int | None = None) -> str:
    """The HTML of a report of these arguments."""
    done = smemdsl("report", *arguments, "-o", "-")
    assert code is None or done.exit_code == code, done.output
    return done.stdout


def data_of(html: str) -> Any:
    """The data that the page's script draws from."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])
