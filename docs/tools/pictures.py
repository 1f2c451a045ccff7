"""The figures of the site, drawn by `smemdsl plot`.

Another version of matplotlib draws the same with other digits, so a figure is held against what it says (its
text), and to the byte where the version is the one that drew it.
"""

from __future__ import annotations

import re
import subprocess
from html import unescape
from pathlib import Path

from docs.tools.console import ROOT, scratch
from smemdsl.packing import policy_names

DOCS = ROOT / "docs"
_CARDS = "--budget rtx-4090 --budget a100 --budget h100"
FIGURES: dict[str, str] = {
    **{f"policies/images/{policy}.svg": f"example.yaml --policy {policy}" for policy in policy_names()},
    "images/plot-map.svg": f"builtin:epilogue --set num_stages=4 {_CARDS} "
    "--policy sequential --policy tilelang",
    "images/plot-sweep.svg": "builtin:gemm-tiles --sweep --budget h100 --set block_M=256 --set block_N=256 "
    "--set block_K=16..128:16 --set num_stages=1..8",
    "images/plot-line.svg": f"builtin:epilogue --sweep {_CARDS} --set num_stages=1..8",
}
"""Where each lies below `docs`, and the arguments of `smemdsl plot`; example.yaml is that of the policies."""
_VERSION = re.compile(r"Matplotlib v([\d.]+)")
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)


def drawn(name: str) -> str:
    """A figure anew."""
    with scratch(DOCS / "policies") as (here, environment):
        command = f"smemdsl plot {FIGURES[name]} -o figure.svg"
        done = subprocess.run(
            ["sh", "-c", command], cwd=here, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1):
            raise ValueError(f"{command}: {done.stderr}")
        return (here / "figure.svg").read_text(encoding="utf-8")


def same(one: str, other: str) -> bool:
    """Whether two figures are one: to the byte, or, where two versions drew them, what they say."""
    if version(one) == version(other):
        return one == other
    return said(one) == said(other)


def version(figure: str) -> str | None:
    """The version of matplotlib that drew a figure."""
    found = _VERSION.search(figure)
    return found[1] if found else None


def said(figure: str) -> list[str]:
    """The words and numbers in a figure."""
    return sorted(unescape(text) for text in _TEXT.findall(figure))


def write() -> None:
    """Draw all of them."""
    for name in FIGURES:
        path = DOCS / Path(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn(name), encoding="utf-8", newline="\n")
