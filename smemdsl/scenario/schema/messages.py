"""What the schema finds wrong with a document, in words.

jsonschema finds the faults; each is worded from its keyword and from the schema's own descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import DocPath, Fault

_KINDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "null": "nothing",
}
_TYPE_NAMES = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    bool: "boolean",
    type(None): "null",
}


def explain(schema: dict[str, Any], value: Any) -> list[Fault]:
    """Every fault of the value; of one that has the wrong type, no more than that."""
    errors = Draft202012Validator(schema).iter_errors(value)
    found = dict.fromkeys(fault for error in errors for fault in _faults(error))
    mistyped = {fault.where for fault in found if fault.code == "schema-type"}
    return [fault for fault in found if fault.code == "schema-type" or fault.where not in mistyped]


def _faults(error: ValidationError) -> Iterable[Fault]:
    where = tuple(error.absolute_path)
    plain = _Error(str(error.validator), error.validator_value, error.instance, error.schema, error.message)
    if "propertyNames" in error.absolute_schema_path:
        return [_bad_name(plain, (*where, plain.value))]
    return _WORDS.get(plain.keyword, _plain)(plain, where)


class _Error(NamedTuple):
    keyword: str
    wanted: Any
    """What the keyword says."""
    value: Any
    schema: Any
    """The part of the schema that the keyword stands in."""
    message: str


def _label(where: DocPath) -> str:
    """The field as a person would call it: `shape[0]`, `budget`; the root is `the scenario`."""
    names = [index for index, step in enumerate(where) if isinstance(step, str)]
    if not names:
        return "the scenario"
    tail = "".join(f"[{step}]" for step in where[names[-1] + 1 :])
    return f"`{where[names[-1]]}{tail}`"


def _plain(error: _Error, where: DocPath) -> list[Fault]:
    return [Fault(where, "schema", f"{_label(where)}: {error.message}")]


def _bad_name(error: _Error, where: DocPath) -> Fault:
    message = f"{where[-1]!r} is not a valid name{_unprintable(where[-1])}"
    return Fault(where, "bad-name", message, _expected(error), on_key=True)


def _unprintable(name: object) -> str:
    """Which characters of a name cannot be seen: nobody finds a U+200D by looking."""
    if not isinstance(name, str):
        return ""
    hidden = dict.fromkeys(f"U+{ord(char):04X}" for char in name if not char.isprintable())
    return f": it has {', '.join(hidden)}" if hidden else ""


def _expected(error: _Error) -> str:
    description = str(error.schema.get("description", ""))
    return description[:1].lower() + description[1:].rstrip(".")


def _wrong_type(error: _Error, where: DocPath) -> list[Fault]:
    allowed = [error.wanted] if isinstance(error.wanted, str) else error.wanted
    wanted = _either([_KINDS[name] for name in allowed])
    got = _KINDS[_TYPE_NAMES[type(error.value)]]
    hint = _expected(error) if where else "`smemdsl init` writes a scenario to start from"
    return [Fault(where, "schema-type", f"{_label(where)} must be {wanted}, not {got}", hint)]


def _either(kinds: list[str]) -> str:
    """`a list or a mapping`; with a comma where `or` alone is unclear."""
    *most, last = kinds
    comma = "," if len(most) > 1 or "true or false" in kinds else ""
    return f"{', '.join(most)}{comma} or {last}" if most else last


def _unknown_keys(error: _Error, where: DocPath) -> list[Fault]:
    known = list(error.schema["properties"])
    return [
        Fault((*where, key), "unknown-key", f"unknown key {key!r}", did_you_mean(key, known), on_key=True)
        for key in error.value
        if key not in known
    ]


def _missing_keys(error: _Error, where: DocPath) -> list[Fault]:
    missing = [key for key in error.wanted if key not in error.value]
    known = error.schema.get("properties", {})
    hint = _expected(error._replace(schema=known.get(missing[0], {}))) if known else _expected(error)
    names = " and ".join(f"`{key}`" for key in missing)
    return [Fault(where, "missing-key", f"{_label(where)} needs {names}", hint, on_key=True)]


def _missing_partners(error: _Error, where: DocPath) -> list[Fault]:
    return [
        Fault((*where, key), "missing-key", f"`{key}` goes with `{partner}`, which is missing", on_key=True)
        for key, partners in error.wanted.items()
        if key in error.value
        for partner in partners
        if partner not in error.value
    ]


def _excluded(error: _Error, where: DocPath) -> list[Fault]:
    return [Fault(where, "exclusive-keys", str(error.schema["description"]), on_key=True)]


def _not_in_enum(error: _Error, where: DocPath) -> list[Fault]:
    choices = [str(choice) for choice in error.wanted]
    hint = did_you_mean(str(error.value), choices)
    return [Fault(where, "schema-value", f"{_label(where)} cannot be {error.value!r}", hint)]


def _not_the_constant(error: _Error, where: DocPath) -> list[Fault]:
    message = f"{_label(where)} must be {error.wanted!r}, not {error.value!r}"
    return [Fault(where, "schema-value", message, _expected(error))]


def _too_small(error: _Error, where: DocPath) -> list[Fault]:
    message = f"{_label(where)} must be at least {error.wanted}, not {error.value}"
    return [Fault(where, "schema-value", message, _expected(error))]


def _wrong_length(error: _Error, where: DocPath) -> list[Fault]:
    if not error.value:
        return [Fault(where, "schema-value", f"{_label(where)} must not be empty", _expected(error))]
    message = f"{_label(where)} has length {len(error.value)}, expected {error.wanted}"
    if isinstance(error.value, str):
        message = f"{_label(where)} is longer than {error.wanted} characters"
    return [Fault(where, "schema-value", message, _expected(error))]


def _wrong_pattern(error: _Error, where: DocPath) -> list[Fault]:
    message = f"{_label(where)} cannot be {error.value!r}{_unprintable(error.value)}"
    return [Fault(where, "schema-value", message, _expected(error))]


_WORDS: dict[str, Callable[[_Error, DocPath], Iterable[Fault]]] = {
    "type": _wrong_type,
    "additionalProperties": _unknown_keys,
    "required": _missing_keys,
    "dependentRequired": _missing_partners,
    "not": _excluded,
    "enum": _not_in_enum,
    "const": _not_the_constant,
    "minimum": _too_small,
    "minItems": _wrong_length,
    "maxItems": _wrong_length,
    "minLength": _wrong_length,
    "maxLength": _wrong_length,
    "minProperties": _wrong_length,
    "pattern": _wrong_pattern,
}
