"""A page as HTML: one file, with its style, its script and its data inside, that asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from importlib import resources
from importlib.util import find_spec
from typing import Any

from smemdsl._version import __version__
from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import visible
from smemdsl.output.formats.diagnostics import render
from smemdsl.output.report.encode import encode
from smemdsl.output.report.model import ReportPage
from smemdsl.output.report.rows import RANKS, columns, rows, shape_of, widths


def available() -> bool:
    """Whether Jinja2 is installed."""
    return find_spec("jinja2") is not None


def write(page: ReportPage) -> str:
    """The HTML text; the same page gives the same text."""
    from markupsafe import Markup

    style, script = _part("report.css"), _part("report.js")
    shape = shape_of(page)
    table = list(rows(page, shape))
    words = Counter(word for row in table for word in dict.fromkeys(row.verdicts))
    html: str = _template().render(
        page=page,
        version=__version__,
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        data=Markup(encode(page)),
        columns=columns(shape),
        widths=widths(table, shape),
        policies=[policy for policy in shape.policies if policy],
        rows=table,
        budgets=list(dict.fromkeys(row.budget for row in table if row.budget)),
        words=[(word, words[word]) for word in ("OK", "OVER", "FAIL", "INVALID") if words[word]],
        ranks=RANKS,
        place=_place,
        text=render,
    )
    return html


def _template() -> Any:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    def finalize(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=finalize
    )
    return environment.from_string(_part("page.html.j2"))


def _part(name: str) -> str:
    return (resources.files("smemdsl.output.report") / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """What a browser may load and run: this style, this script, nothing else; and no text becomes markup."""
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_hash(style)}",
            f"script-src {_hash(script)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _place(diagnostic: Diagnostic) -> str:
    """`path:line:col`."""
    place = "" if diagnostic.line is None else f":{diagnostic.line}:{diagnostic.column}"
    return f"{diagnostic.path}{place}"
