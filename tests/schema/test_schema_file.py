"""The schema file itself: what its errors need of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from smemdsl.policies import policy_names
from smemdsl.scenario import schema
from smemdsl.scenario.reading.program import VERBS

SCHEMA = schema.schema()


def parts(part: Any, where: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping inside the schema, with the way to it."""
    if isinstance(part, dict):
        yield where, part
        for key, value in part.items():
            yield from parts(value, f"{where}/{key}")
    elif isinstance(part, list):
        for i, value in enumerate(part):
            yield from parts(value, f"{where}/{i}")


def test_it_is_a_schema() -> None:
    """The file is sound by draft 2020-12, and says so."""
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def description(part: dict[str, Any]) -> str:
    """What a part says of itself, or what the definition says that it refers to."""
    name = part.get("$ref", "").removeprefix("#/$defs/")
    text = part.get("description") or SCHEMA["$defs"].get(name, {}).get("description", "")
    return str(text)


def test_every_property_is_described() -> None:
    """Editors show the description of a key, and messages take their hints from it."""
    properties = [
        (f"{where}/{name}", inner)
        for where, part in parts(SCHEMA)
        if isinstance(part.get("properties"), dict) and not where.endswith("/properties")
        if "/dependentSchemas/" not in f"{where}/" or "not" in part
        for name, inner in part["properties"].items()
    ]
    assert len(properties) > 50
    assert [where for where, inner in properties if not description(inner)] == []


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """A part with what it refers to; its own words win."""
    name = part.get("$ref", "").removeprefix("#/$defs/")
    return {**SCHEMA["$defs"].get(name, {}), **part}


def examples(part: dict[str, Any]) -> list[Any]:
    """The examples of a part; none where `examples` is the name of something else."""
    found = part.get("examples")
    return found if isinstance(found, list) else []


EXAMPLES = [(where, part, example) for where, part in parts(SCHEMA) for example in examples(part)]


def test_examples_are_sound() -> None:
    """What a key shows as an example, it accepts."""
    wrong = [
        where
        for where, part, example in EXAMPLES
        if not Draft202012Validator(part | {"$defs": SCHEMA["$defs"]}).is_valid(example)
    ]
    assert len(EXAMPLES) > 80
    assert wrong == []


def test_every_property_has_an_example() -> None:
    """Its own, or that of the definition it refers to."""
    bare = [
        f"{where}/{name}"
        for where, part in parts(SCHEMA)
        if isinstance(part.get("properties"), dict) and not where.endswith("/properties")
        for name, inner in part["properties"].items()
        if "/dependentSchemas/" not in f"{where}/"
        and "not" not in inner
        and "examples" not in resolved(inner)
    ]
    assert bare == []


def test_definitions_items_and_values_are_described() -> None:
    """So are the definitions, the items of lists and the values of free keys."""
    bare = [
        where
        for where, part in parts(SCHEMA)
        if re.search(r"/(\$defs/\w+|items|additionalProperties)$", where)
        and "$ref" not in part
        and "description" not in part
        and "/dependentSchemas/" not in where
    ]
    assert bare == []


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def test_no_alternatives(keyword: str) -> None:
    """Errors of alternatives cannot be read, so the schema has none."""
    assert [where for where, part in parts(SCHEMA) if keyword in part] == []


def test_what_excludes_a_key_says_so() -> None:
    """A key that is refused beside another one has a description, which becomes the message."""
    bare = [where for where, part in parts(SCHEMA) if part.get("not") == {} and "description" not in part]
    assert bare == []


def test_policies_are_those_that_there_are() -> None:
    """The policies of the schema are the registered ones."""
    assert set(SCHEMA["properties"]["policy"]["enum"]) == set(policy_names())


def test_statements_are_those_that_are_read() -> None:
    """Each statement that the schema has is one that the reader knows."""
    inner = {"body", "else", "extent", "start", "num_stages", "reads"}
    assert SCHEMA["$defs"]["statement"]["properties"].keys() - inner == set(VERBS)


@pytest.mark.parametrize("name", ["a", "A_shared", "k_loop", "Q @ K", "日本", "a" * 200, "a.b-c/d", "--x"])
def test_names(name: str) -> None:
    """A name is printable, at most 200 characters long, and may have blanks inside."""
    assert schema.accepts({"smemdsl": 1, "name": name, "buffers": {name: {"bytes": 4}}})


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "a\n", "\na", "a\tb", "a\nb", "\x1b[31m", "a\u2028b", "a" * 201, "\x7f"]
)
def test_no_names(name: str) -> None:
    """What would break a table, a line or a terminal is no name."""
    assert not schema.accepts({"smemdsl": 1, "name": name, "buffers": {}})
    assert not schema.accepts({"smemdsl": 1, "buffers": {name: {"bytes": 4}}})
    assert not schema.accepts({"smemdsl": 1, "timeline": [name], "buffers": {}})
