"""The figures of the site, drawn by `smemdsl plot`.

Another version of matplotlib draws the same with other digits, so a figure is held against what it says (its
text), and to the byte where the version is the one that drew it.
"""

from __future__ import annotations

import re
import subprocess
from html import unescape
from pathlib import Path

from docs.tools.console import ROOT, commands, fences, scratch
from smemdsl.policies import policy_names

DOCS = ROOT / "docs"
_PAGE = DOCS / "seeing.md"
_OUTPUT = re.compile(r"-o (\S+\.svg)")


def _of_page() -> dict[str, str]:
    """The figures that a page draws: `-o map.svg` is images/map.svg."""
    blocks = fences(_PAGE.read_text(encoding="utf-8"))
    lines = [line for block in blocks if block.language == "console" for line in commands(block.body)]
    return {f"images/{_OUTPUT.findall(line)[0]}": line for line in lines if line.startswith("smemdsl plot ")}


FIGURES: dict[str, str] = {
    **{
        f"policies/images/{it}.svg": f"smemdsl plot example.yaml --policy {it} -o {it}.svg"
        for it in policy_names()
    },
    **_of_page(),
}
"""Where each lies below `docs`, and its command; example.yaml is that of the policies."""
_VERSION = re.compile(r"Matplotlib v([\d.]+)")
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)


def drawn(name: str) -> str:
    """A figure anew."""
    with scratch(DOCS / "policies") as (here, environment):
        done = subprocess.run(
            ["sh", "-c", FIGURES[name]],
            cwd=here,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise ValueError(f"{FIGURES[name]}: {done.stderr}")
        return (here / Path(name).name).read_text(encoding="utf-8")


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
        path = DOCS / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn(name), encoding="utf-8", newline="\n")
