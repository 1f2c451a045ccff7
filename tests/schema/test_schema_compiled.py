"""The compiled check against jsonschema, on documents that are nearly sound."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from smemdsl.core.errors import InternalError
from smemdsl.scenario import schema
from smemdsl.scenario.schema.compile import compile_schema
from smemdsl.source.document import Document
from tests.effort import examples
from tests.schema.sound import SOUND

VALIDATOR = Draft202012Validator(schema.schema())


def keys_of(part: Any) -> set[str]:
    """The names of all properties of a part of the schema."""
    if isinstance(part, list):
        return set().union(*map(keys_of, part))
    if not isinstance(part, dict):
        return set()
    own = set(part["properties"]) if isinstance(part.get("properties"), dict) else set()
    return own.union(*map(keys_of, part.values()))


KEYS = st.sampled_from([*sorted(keys_of(schema.schema())), "unknown", "A_shared", "", " x", "x\n", "1"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.sampled_from([2**63 - 1, -(2**63) + 1])
    | st.sampled_from(["", "x", "a", "1..4", "128B", "static", "tilelang", "sm_90", "x\n", "\x1b", "y" * 201])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def collections_in(value: Any) -> list[Any]:
    """Every mapping and list inside a value, itself first."""
    if not isinstance(value, (dict, list)):
        return []
    items = value.values() if isinstance(value, dict) else value
    return [value, *(found for item in items for found in collections_in(item))]


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A sound document with a few keys or values deleted, replaced, moved or added."""
    document = copy.deepcopy(draw(st.sampled_from(SOUND)))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.sampled_from(collections_in(document)))
        steps = list(place) if isinstance(place, dict) else list(range(len(place)))
        change = draw(st.sampled_from(["add", "delete", "replace", "move"]))
        if change == "add" and isinstance(place, dict):
            place[draw(KEYS)] = draw(VALUES)
        elif change == "add":
            place.insert(draw(st.integers(0, len(place))), draw(VALUES))
        elif steps:
            step = draw(st.sampled_from(steps))
            if change == "delete":
                del place[step]
            elif change == "replace":
                place[step] = draw(VALUES)
            else:
                place[step] = copy.deepcopy(draw(st.sampled_from(collections_in(document))))
    return document


@pytest.mark.parametrize("index", range(len(SOUND)))
def test_sound_documents_are_accepted(index: int) -> None:
    """Both checks accept what mutations start from, so that these begin inside the schema."""
    assert schema.accepts(SOUND[index])
    assert VALIDATOR.is_valid(SOUND[index])


@settings(max_examples=examples(400))
@given(mutated())
def test_the_compiled_check_is_the_schema(document: Any) -> None:
    """It accepts exactly what jsonschema accepts, and what it refuses has a fault with a place."""
    accepted = schema.accepts(document)
    assert accepted == VALIDATOR.is_valid(document)
    faults = schema.faults(document)
    assert accepted == (not faults)
    text = json.dumps(document, indent=1, ensure_ascii=False)
    lines = text.split("\n")
    for fault in faults:
        diagnostic = Document("f.json", text, document).diagnose(fault)
        assert diagnostic.line is not None
        assert diagnostic.column is not None
        assert 1 <= diagnostic.line <= len(lines)
        assert 1 <= diagnostic.column <= len(lines[diagnostic.line - 1])
        assert fault.message


@settings(max_examples=examples(200))
@given(VALUES)
def test_any_value_at_all(value: Any) -> None:
    """The checks agree on what is far from a scenario, too."""
    assert schema.accepts(value) == VALIDATOR.is_valid(value)
    assert schema.accepts(value) == (not schema.faults(value))


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "format", "patternProperties", "minimun"])
def test_a_keyword_that_the_check_does_not_know_is_refused(keyword: str) -> None:
    """A keyword that were passed over would let through what the schema refuses."""
    with pytest.raises(InternalError, match=keyword):
        compile_schema({"properties": {"a": {keyword: []}}})


# Each schema with values on both sides of it; jsonschema says which.
@pytest.mark.parametrize(
    "part",
    [
        {"type": "integer"},
        {"type": "boolean"},
        {"type": ["string", "null"]},
        {"const": 1},
        {"enum": [1, "x", None]},
        {"minimum": 1, "maximum": 2},
        {"minLength": 1, "maxLength": 1},
        {"pattern": "^x"},
        {"minItems": 1, "maxItems": 1},
        {"items": {"type": "integer"}},
        {"minProperties": 1},
        {"required": ["a"]},
        {"properties": {"a": {"type": "integer"}}},
        {"properties": {"a": {}}, "additionalProperties": False},
        {"additionalProperties": {"type": "integer"}},
        {"propertyNames": {"pattern": "^a$"}},
        {"dependentRequired": {"a": ["b"]}},
        {"dependentSchemas": {"a": {"required": ["b"]}}},
        {"not": {"type": "integer"}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}},
        {"if": {"required": ["a"]}, "then": {"minProperties": 2}},
        {"if": {"required": ["a"]}, "else": {"minProperties": 1}},
        {"$ref": "#/$defs/x", "$defs": {"x": {"type": ["integer", "object"]}}},
        {
            "$ref": "#/$defs/x",
            "$defs": {"x": {"properties": {"a": {"$ref": "#/$defs/x"}}, "required": ["a"]}},
        },
    ],
)
def test_each_keyword(part: dict[str, Any]) -> None:
    """Each keyword means what jsonschema takes it to mean, for values of every type."""
    values: list[Any] = [
        None, True, False, 0, 1, 2, 3, "", "x", "y", "xx", [], [1], ["x"], [1, 2], [True],
        {}, {"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 2}, {"c": 1}, {"a": {"a": {}}}, {"a": True},
    ]  # fmt: skip
    check, reference = compile_schema(part), Draft202012Validator(part)
    assert [check(value) for value in values] == [reference.is_valid(value) for value in values]
