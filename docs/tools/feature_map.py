"""`docs/feature-tests.md`: every command, key, policy, format and code, and the tests that name it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

from docs.tools.console import ROOT
from smemdsl import policies
from smemdsl.cli import COMMANDS
from smemdsl.output import formats
from smemdsl.rules.catalogue import codes

PAGE = ROOT / "docs" / "feature-tests.md"
_TESTS = ROOT / "tests"
_SHOWN = 3
HEAD = """\
# Features and their tests

Which tests name a feature: where to look for what it is meant to do, and where to add a case. At most three
files each, those that name it most often first. `python -m docs.tools` writes this page; a test fails where a
feature has none.
"""


def features() -> dict[str, tuple[str, ...]]:
    """Heading to features, as users write them."""
    schema = json.loads((ROOT / "schema" / "scenario.schema.json").read_text(encoding="utf-8"))
    buffer = schema["$defs"]["buffer"]["properties"]
    return {
        "Commands": COMMANDS,
        "Keys of a scenario": tuple(schema["properties"]),
        "Keys of a buffer": tuple(buffer),
        "Policies": policies.policy_names(),
        "Formats": tuple(sorted({*formats.FORMATS, *formats.LINES, *formats.FILES})),
        "Errors, warnings and lints": codes(),
    }


@cache
def _texts() -> dict[str, str]:
    """Every test and every input of a test, by its path below `tests`."""
    files = (file for file in sorted(_TESTS.rglob("*")) if file.suffix in {".py", ".yaml", ".txt"})
    return {file.relative_to(_TESTS).as_posix(): file.read_text("utf-8", "replace") for file in files}


def tests(feature: str) -> list[str]:
    """Files below `tests` that name a feature as a word of its own, those that name it most often first."""
    word = re.compile(rf"(?<![\w.-]){re.escape(feature)}(?![\w-])")
    counts = {path: len(word.findall(text)) for path, text in _texts().items() if feature in text}
    found = sorted((path for path, count in counts.items() if count), key=lambda path: (-counts[path], path))
    programs = [path for path in found if path.endswith(".py")]
    return programs or found


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for part in features().items() for line in _section(*part))])


def _section(heading: str, names: Iterable[str]) -> Iterator[str]:
    yield f"## {heading}\n\n| feature | tests |\n|---|---|"
    for name in names:
        yield f"| `{name}` | {', '.join(f'`{path}`' for path in tests(name)[:_SHOWN])} |"
    yield ""


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
