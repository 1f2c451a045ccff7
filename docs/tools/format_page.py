"""`docs/format.md`: every key of a scenario, from the schema."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from docs.tools.console import ROOT

Part = dict[str, Any]
PAGE = ROOT / "docs" / "format.md"
SCHEMA = ROOT / "schema" / "scenario.schema.json"

HEAD = """\
# The format

Every key of a scenario, from the JSON Schema that `smemdsl schema` prints and editors read.
`python -m docs.tools` writes this page. [The model](model.md) says what follows from the values.
"""
SIMPLE = {
    "positive": "a number of at least 1",
    "count": "a number of at least 0",
    "size": "a size in bytes",
    "condition": "a condition",
    "parameter": "the value of a parameter",
    "identifier": "the name of a parameter",
    "name": "a name",
    "names": "one or more buffers",
}
"""Definitions that are kinds of values rather than mappings with keys, and what they are called."""
SECTIONS = (
    ("The file", "#", "What stands at the top. `smemdsl` and `buffers` must be there."),
    (
        "A buffer",
        "#/$defs/buffer",
        "Each entry of `buffers`: the buffer's name, and a mapping with these keys.",
    ),
    (
        "A region",
        "#/$defs/region",
        "Each item of `timeline`: a name alone (one statement) or a mapping.",
    ),
    ("A statement", "#/$defs/statement", "Each item of `program` and of a `body`: one of these, by its key."),
    ("Options of the compiler", "#/properties/options", "The keys of `options`."),
    (
        "What may be expected",
        "#/properties/expect",
        "The keys of `expect` and of each device in `devices`.",
    ),
)
_DEFAULT = re.compile(r" Default: (.*?)\.(?= |$)")
_TYPES = {"integer": "an integer", "string": "a string", "boolean": "true or false", "array": "a list"}


def page() -> str:
    """The whole page."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    parts = [HEAD, *(_section(schema, *section) for section in SECTIONS), _kinds(schema)]
    return "\n".join(parts)


def _section(schema: Part, title: str, where: str, lead: str) -> str:
    part = _at(schema, where)
    entries = [_entry(schema, key, inner, title) for key, inner in part["properties"].items()]
    return f"## {title}\n\n{lead}\n\n" + "\n".join(entries)


def _entry(schema: Part, key: str, part: Part, section: str) -> str:
    """One key, and the keys below it where it may be a mapping with some."""
    whole = _resolved(schema, part)
    meaning, default = _DEFAULT.sub("", _meaning(part, whole)), _DEFAULT.search(_meaning(part, whole))
    lines = [f"### `{key}`\n", f"{meaning}\n", f"*Value:* {_value(schema, part)}\n"]
    if default:
        lines.append(f"*Default:* {default[1]}\n")
    lines.append(_examples(key, whole.get("examples", [])))
    if section == "A statement" and "properties" in whole:
        rows = [_row(schema, name, inner) for name, inner in whole["properties"].items()]
        lines.append("".join(["| key | value | meaning | example |\n|---|---|---|---|\n", *rows]))
    return "\n".join(lines)


def _row(schema: Part, key: str, part: Part) -> str:
    whole = _resolved(schema, part)
    example = ", ".join(f"`{json.dumps(one)}`".replace('"', "") for one in whole.get("examples", []))
    return f"| `{key}` | {_value(schema, part)} | {_meaning(part, whole)} | {example} |\n"


def _meaning(part: Part, whole: Part) -> str:
    return str(part.get("description") or whole["description"])


def _value(schema: Part, part: Part) -> str:
    """Of what kind a value is, in words."""
    name = part.get("$ref", "").removeprefix("#/$defs/")
    if name in SIMPLE:
        return f"[{SIMPLE[name]}](#{SIMPLE[name].replace(' ', '-')})"
    if name and "$ref" in schema["$defs"][name]:
        return _value(schema, schema["$defs"][name])
    whole = _resolved(schema, part)
    if "const" in whole or "enum" in whole:
        return " or ".join(f"`{value}`" for value in whole.get("enum", [whole.get("const")]))
    kinds = whole["type"] if isinstance(whole["type"], list) else [whole["type"]]
    return ", or ".join(_kind(schema, whole, kind) for kind in kinds)


def _kind(schema: Part, whole: Part, kind: str) -> str:
    if kind == "object" and whole.get("additionalProperties"):
        inner = whole["additionalProperties"]
        return f"a mapping, each value: {_inner(schema, inner)}"
    if kind == "object":
        return "a mapping"
    if kind == "array":
        return f"a list, each item: {_inner(schema, whole['items'])}"
    return _TYPES[kind]


def _inner(schema: Part, part: Part) -> str:
    """What a list holds or a mapping leads to: a link, or a word or two."""
    target = part.get("$ref", "")
    for title, where, _ in SECTIONS:
        if target == where:
            return f"[{title.lower()}](#{title.lower().replace(' ', '-')})"
    return _value(schema, part) if target or "enum" in part else _plain(part)


def _plain(part: Part) -> str:
    text = part["description"].partition(":")[0].rstrip(".")
    return f"{_article(text)}{text[0].lower()}{text[1:]}"


def _article(text: str) -> str:
    return (
        "the "
        if text.split(maxsplit=1)[0] in {"Name", "Names", "Index", "Indexes", "Copies", "Largest"}
        else ""
    )


def _kinds(schema: Part) -> str:
    lines = ["## Kinds of values\n"]
    for name, words in SIMPLE.items():
        lines.append(f"### {words.capitalize()}\n")
        lines.append(f"{schema['$defs'][name]['description']}\n")
    return "\n".join(lines)


def _examples(key: str, examples: list[Any]) -> str:
    lines = [_yaml({key: example}) for example in examples]
    return "```yaml\n" + "".join(lines) + "```\n"


def _yaml(value: Part) -> str:
    """One line in the style of scenarios: mappings and lists in their flow form."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False).strip()
    return text.removeprefix("{").removesuffix("}") + "\n"


def _resolved(schema: Part, part: Part) -> Part:
    if "$ref" not in part:
        return part
    behind = _resolved(schema, _at(schema, part["$ref"]))
    return {**behind, **{key: value for key, value in part.items() if key != "$ref"}}


def _at(schema: Part, where: str) -> Part:
    part = schema
    for step in filter(None, where.removeprefix("#").split("/")):
        part = part[step]
    return part


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
