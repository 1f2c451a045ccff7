"""A JSON Schema as one predicate: yes or no, quickly, without jsonschema.

Knows the keywords that the scenario's schema uses and refuses any other, so that a keyword added to the
schema cannot be passed over. Values are those of a document: dict, list, str, int, bool and None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from smemdsl.core.errors import InternalError

Predicate = Callable[[Any], bool]
Schema = dict[str, Any]

_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "examples"}
_ANY = {"type", "$ref", "const", "enum", "not", "if", "then", "else"}
_OBJECT = {"properties", "additionalProperties", "propertyNames", "required", "minProperties"}
_DEPENDENT = {"dependentRequired", "dependentSchemas"}
_ARRAY = {"items", "minItems", "maxItems"}
_STRING = {"pattern", "minLength", "maxLength"}
_INTEGER = {"minimum", "maximum"}
_KNOWN = _ANNOTATIONS | _ANY | _OBJECT | _DEPENDENT | _ARRAY | _STRING | _INTEGER


def compile_schema(schema: Schema) -> Predicate:
    """The predicate of a whole schema, whose `$ref`s point into its own `$defs`.

    Raises:
        InternalError: the schema uses a keyword that is not known here.
    """
    return _Compiler(schema).compile(schema)


class _Compiler:
    def __init__(self, root: Schema) -> None:
        self.root = root
        self.refs: dict[str, Predicate] = {}

    def compile(self, schema: Schema | bool) -> Predicate:
        if isinstance(schema, bool):
            return lambda _: schema
        if unknown := schema.keys() - _KNOWN:
            raise InternalError(
                f"the schema's keywords {sorted(unknown)} are not known to the compiled check"
            )
        common = self.of_any(schema)
        table = {kind: [*common, *self.of_kind(kind, schema)] for kind in _kinds(schema.get("type"))}
        return _dispatch(table)

    def of_any(self, schema: Schema) -> list[Predicate]:
        checks: list[Predicate] = []
        if "$ref" in schema:
            checks.append(self.reference(schema["$ref"]))
        if "const" in schema:
            checks.append(_one_of([schema["const"]]))
        if "enum" in schema:
            checks.append(_one_of(schema["enum"]))
        if "not" in schema:
            inner = self.compile(schema["not"])
            checks.append(lambda value: not inner(value))
        if "if" in schema:
            checks.append(self.conditional(schema))
        return checks

    def of_kind(self, kind: type, schema: Schema) -> list[Predicate]:
        if kind is dict:
            return [*self.of_object(schema), *self.of_dependents(schema)]
        if kind is list:
            return self.of_array(schema)
        if kind is str:
            return _of_string(schema)
        return _of_integer(schema) if kind is int else []

    def of_object(self, schema: Schema) -> list[Predicate]:
        checks: list[Predicate] = []
        if required := frozenset(schema.get("required", ())):
            checks.append(lambda value: required <= value.keys())
        if "minProperties" in schema:
            checks.append(_at_least(schema["minProperties"]))
        if "propertyNames" in schema:
            named = self.compile(schema["propertyNames"])
            checks.append(lambda value: all(map(named, value)))
        properties = {key: self.compile(inner) for key, inner in schema.get("properties", {}).items()}
        additional = self.compile(schema.get("additionalProperties", True))
        if properties or schema.get("additionalProperties", True) is not True:
            checks.append(_each_value(properties, additional))
        return checks

    def of_dependents(self, schema: Schema) -> list[Predicate]:
        needs = [(key, frozenset(names)) for key, names in schema.get("dependentRequired", {}).items()]
        inner = [(key, self.compile(sub)) for key, sub in schema.get("dependentSchemas", {}).items()]
        checks: list[Predicate] = []
        if needs:
            checks.append(
                lambda value: all([key not in value or names <= value.keys() for key, names in needs])
            )
        if inner:
            checks.append(lambda value: all([key not in value or check(value) for key, check in inner]))
        return checks

    def of_array(self, schema: Schema) -> list[Predicate]:
        checks: list[Predicate] = []
        if "minItems" in schema:
            checks.append(_at_least(schema["minItems"]))
        if "maxItems" in schema:
            most = schema["maxItems"]
            checks.append(lambda value: len(value) <= most)
        if "items" in schema:
            item = self.compile(schema["items"])
            checks.append(lambda value: all(map(item, value)))
        return checks

    def conditional(self, schema: Schema) -> Predicate:
        test = self.compile(schema["if"])
        then, otherwise = self.compile(schema.get("then", True)), self.compile(schema.get("else", True))
        return lambda value: then(value) if test(value) else otherwise(value)

    def reference(self, pointer: str) -> Predicate:
        """What a `$ref` means, compiled when a value is first held against it: it may refer to itself."""

        def check(value: Any) -> bool:
            found = self.refs.get(pointer)
            if found is None:
                definition = self.root["$defs"][pointer.removeprefix("#/$defs/")]
                found = self.refs[pointer] = self.compile(definition)
            return found(value)

        return check


def _kinds(names: str | list[str] | None) -> list[type]:
    if names is None:
        return list(_TYPES.values())
    return [_TYPES[name] for name in ([names] if isinstance(names, str) else names)]


def _dispatch(table: dict[type, list[Predicate]]) -> Predicate:
    """Checks by the exact type of the value, so that True is not an integer; any other type is refused."""

    def check(value: Any) -> bool:
        checks = table.get(type(value))
        if checks is None:
            return False
        for predicate in checks:
            if not predicate(value):
                return False
        return True

    return check


def _each_value(properties: dict[str, Predicate], additional: Predicate) -> Predicate:
    get = properties.get

    def check(value: dict[str, Any]) -> bool:
        for key, item in value.items():
            if not get(key, additional)(item):
                return False
        return True

    return check


def _one_of(allowed: list[Any]) -> Predicate:
    choices = [(type(choice), choice) for choice in allowed]
    return lambda value: (type(value), value) in choices


def _at_least(least: int) -> Predicate:
    return lambda value: len(value) >= least


def _of_string(schema: Schema) -> list[Predicate]:
    checks: list[Predicate] = []
    if "minLength" in schema:
        checks.append(_at_least(schema["minLength"]))
    if "maxLength" in schema:
        most = schema["maxLength"]
        checks.append(lambda value: len(value) <= most)
    if "pattern" in schema:
        search = re.compile(schema["pattern"]).search
        checks.append(lambda value: search(value) is not None)
    return checks


def _of_integer(schema: Schema) -> list[Predicate]:
    least, most = schema.get("minimum"), schema.get("maximum")
    checks: list[Predicate] = []
    if least is not None:
        checks.append(lambda value: value >= least)
    if most is not None:
        checks.append(lambda value: value <= most)
    return checks
