"""What MkDocs calls while it builds the site: pages from elsewhere, and a look at what each page loads."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
_LOG = logging.getLogger("mkdocs.hooks.smemdsl")
_LOADS = re.compile(
    r"<(?:script|img|iframe|source|audio|video)\b[^>]*\bsrc=[\"']?((?:https?:)?//[^\"' >]+)"
    r"|<link\b[^>]*\bhref=[\"']?((?:https?:)?//[^\"' >]+)"
)
"""What a browser fetches by itself from another host; a link that a reader follows is none."""
_DIAGNOSTICS = """\
# Diagnostics

Every error and warning has a code, which stands in brackets behind it, and a page: what it means, why it is
so, an example that fails, and the fix. `smemdsl explain CODE` prints the same.

| code | what it says |
|---|---|
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog, the page of every code, and a report of what ships."""
    from mkdocs.structure.files import File, InclusionLevel

    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changelog.md", content=changelog))
    for path, text in diagnostics().items():
        listed = InclusionLevel.INCLUDED if path.endswith("/index.md") else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, path, content=text, inclusion=listed))
    files.append(File.generated(config, "report-example.html", content=report()))
    return files


def report() -> str:
    """The page that `smemdsl report` makes of all scenarios that ship."""
    command = [sys.executable, "-m", "smemdsl", "report", "builtin:", "-o", "-", "--title", "What ships"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Complain of a page that would load something from elsewhere; under --strict that fails the build."""
    del config
    for found in loads(output):
        _LOG.warning("%s loads %s: the site is to be read without a network", page.file.src_path, found)
    return output


def loads(html: str) -> list[str]:
    """What a page fetches from another host."""
    return [one or other for one, other in _LOADS.findall(html)]


def diagnostics() -> dict[str, str]:
    """The pages of all codes and their list, by path."""
    sys.path.insert(0, str(ROOT))
    from smemdsl.rules.catalogue import codes, page

    found = [page(code) for code in codes()]
    rows = "".join(f"| [{one.code}]({one.code}.md) | {_cell(one.summary)} |\n" for one in found)
    pages = {f"diagnostics/{one.code}.md": f"# {one.code}\n\n{one.text}\n" for one in found}
    return {"diagnostics/index.md": _DIAGNOSTICS + rows, **pages}


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
