"""The pages: of a lint or a compiler's rule its module's docstring, of any other code a text in `pages`.

A page says what, then under headings why, what fails, and what the fix is, in Markdown that reads as it is.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from smemdsl.compilers.rule_pages import RULES, rule_page
from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import UnknownNameError
from smemdsl.rules.lints import LINTS, module_of

_PAGES = Path(__file__).parent / "pages"

_SAID = {"OVER": "over-budget", "FAIL": "constraint"}
"""Codes that stand for a verdict, which people look up as tables show it."""


class CodePage(NamedTuple):
    """What one code means."""

    code: str
    text: str
    """Markdown, without a heading of its own."""

    @property
    def summary(self) -> str:
        """The first paragraph, on one line."""
        return " ".join(self.text.partition("\n\n")[0].split())


def codes() -> tuple[str, ...]:
    """Every code that has a page, in the order of the alphabet."""
    return tuple(sorted([*LINTS, *(file.stem for file in _PAGES.glob("*.md"))]))


def names() -> tuple[str, ...]:
    """Everything that has a page: the codes, then the rules of compilers in the order in which they apply."""
    return (*codes(), *RULES)


def page(code: str) -> CodePage:
    """The page of a code, or of a compiler's rule.

    Raises:
        UnknownNameError: there is none.
    """
    if code in LINTS:
        return CodePage(code, inspect.getdoc(import_module(module_of(code))) or "")
    if code in RULES:
        return CodePage(code, rule_page(code))
    if code not in codes():
        hint = did_you_mean(_SAID.get(code.upper(), code), names()) or "`smemdsl explain` lists all of them"
        raise UnknownNameError(f"unknown error, warning or rule {code!r}", hint)
    return CodePage(code, (_PAGES / f"{code}.md").read_text(encoding="utf-8").strip())
