"""The schema in editors: a real YAML language server completes, explains and complains."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.review.kernels import FLASH
from tests.review.language_server import ROOT, Server, find_server, running

pytestmark = pytest.mark.xdist_group("editors")

SCHEMA = ROOT / "schema/scenario.schema.json"
BUFFER = "smemdsl: 1\nbuffers:\n  A_shared:\n    shape: [8, 8]\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One server for the module."""
    command = find_server()
    if command is None:
        pytest.skip("yaml-language-server is not installed: npm install yaml-language-server")
    with running(command, SCHEMA) as found:
        yield found


def labels(answer: Any) -> set[str]:
    """The words that a completion offers."""
    items = answer["items"] if isinstance(answer, dict) else answer
    return {item["label"] for item in items}


def test_completion_in_a_buffer(server: Server) -> None:
    """Inside a buffer its fields are offered, those that it has already left out."""
    offered = labels(server.at("completion", BUFFER + "    |", "|"))
    assert {"dtype", "access", "align", "swizzle", "when", "scope", "def_stage", "use_stage"} <= offered
    assert not {"shape", "buffers", "timeline"} & offered


def test_completion_of_values(server: Server) -> None:
    """Where only some words are allowed, they are offered."""
    assert {"128B", "64B", "32B", "none"} <= labels(server.at("completion", BUFFER + "    swizzle: |", "|"))


def test_completion_at_the_top(server: Server) -> None:
    """At the margin the fields of a scenario are offered."""
    offered = labels(server.at("completion", "smemdsl: 1\n|", "|"))
    assert {"name", "params", "budget", "timeline", "buffers", "expect", "sweep"} <= offered


HOVERS = [
    ("smemdsl: 1\nbud|get: sm_90\nbuffers: {}\n", ("properties", "budget")),
    (BUFFER + "    swiz|zle: 128B\n", ("$defs", "buffer", "properties", "swizzle")),
    (BUFFER + "    dty|pe: float16\n", ("$defs", "buffer", "properties", "dtype")),
    ("smemdsl: 1\nbuffers: {}\nexpect:\n  aren|a: 64 KiB\n", ("$defs", "expect_arena")),
]


@pytest.mark.parametrize(("text", "where"), HOVERS)
def test_hover_says_what_the_schema_says(server: Server, text: str, where: tuple[str, ...]) -> None:
    """Hovering over a field shows the first sentence of its description."""
    description: Any = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for step in where:
        description = description[step]
    sentence = description["description"].split(". ")[0].split(":")[0]
    shown = json.dumps(server.at("hover", text, "|"), ensure_ascii=False).replace("\\\\", "")
    assert sentence in shown


def test_every_key_has_a_hover(server: Server) -> None:
    """No field of a whole scenario is without a text, also where its names are the user's own."""
    text = "\n".join(line.partition("#")[0] for line in FLASH.splitlines())
    keys = list(re.finditer(r"\w+(?=: )|\w+(?=:$)", text, re.MULTILINE))
    assert len(keys) > 12
    for key in keys:
        marked = f"{text[: key.start() + 1]}|{text[key.start() + 1 :]}"
        answer = server.at("hover", marked, "|")
        assert answer, key[0]
        assert len(answer["contents"]["value"].split("\n\n")[1]) > 8


def test_diagnostic_at_the_fault(server: Server) -> None:
    """A field that does not exist is underlined, and a sound file has no problem."""
    (problem,) = server.problems(BUFFER + "    dtype: float16\n    alingn: 16\n")
    assert problem["range"]["start"] == {"line": 5, "character": 4}
    assert "alingn" in problem["message"]
    assert server.problems(FLASH) == []


def test_shipped_scenarios_have_no_problem(server: Server) -> None:
    """What `check` takes for sound, an editor does too, by the schema that the file itself names."""
    files = sorted((ROOT / "scenarios").rglob("*.yaml"))
    assert files
    for file in files:
        assert server.problems(file.read_text(encoding="utf-8"), file.as_uri()) == [], file


def fields(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field of the schema, by name; what only forbids one is none."""
    for name, field in schema.get("properties", {}).items():
        if field.get("not") != {}:
            yield name, field
            yield from fields(field)
    for key in ("items", "additionalProperties", "then", "else", "if"):
        if isinstance(schema.get(key), dict):
            yield from fields(schema[key])


def test_every_field_is_described() -> None:
    """No field is without a text of its own, or of what it refers to, that an editor can show."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    definitions = schema["$defs"]
    found = [*fields(schema), *(pair for part in definitions.values() for pair in fields(part))]
    assert len(found) > 40
    for name, field in found:
        text = field.get("description") or definitions[field["$ref"].split("/")[-1]].get("description", "")
        assert len(text) > 8, name


def test_catalogue_entry() -> None:
    """The entry for SchemaStore has what its catalogue wants, and its globs match what it says they match."""
    entry = json.loads((ROOT / "docs/schemastore.json").read_text(encoding="utf-8"))
    assert set(entry) == {"name", "description", "fileMatch", "url"}
    assert entry["name"] == "smemdsl scenario"
    assert Path(entry["url"]).suffix == ".json"
    names = ("gemm.smem.yaml", "kernels/gemm.smem.yml")
    for name in names:
        assert any(fnmatch(name, pattern.replace("**/", "*")) for pattern in entry["fileMatch"])
    assert not any(fnmatch("compose.yaml", pattern) for pattern in entry["fileMatch"])
