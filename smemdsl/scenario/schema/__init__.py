"""The JSON Schema of a scenario, and checking documents against it.

`accepts` decides quickly, by predicates compiled from the schema itself; only a document that it turns down
is given to jsonschema, which finds every fault. The schema file is the one source of truth.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import Any

from smemdsl.core.errors import Fault
from smemdsl.scenario.schema.compile import Predicate, compile_schema

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_PACKAGED = os.path.join(_PACKAGE, "data", "scenario.schema.json")
_CHECKOUT = os.path.join(os.path.dirname(_PACKAGE), "schema", "scenario.schema.json")


@lru_cache(maxsize=1)
def schema_text() -> str:
    """The schema file: beside the package's data when installed, at the top of a checkout otherwise."""
    with open(_PACKAGED if os.path.exists(_PACKAGED) else _CHECKOUT, encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The schema as plain values; not to be changed."""
    value: dict[str, Any] = json.loads(schema_text())
    return value


@lru_cache(maxsize=1)
def _predicate() -> Predicate:
    return compile_schema(schema())


def accepts(value: Any) -> bool:
    """Whether the schema accepts the value; never True where jsonschema would find an error."""
    return _predicate()(value)


def faults(value: Any) -> list[Fault]:
    """Everything the schema finds wrong with a value, in document order; empty for a sound one."""
    if accepts(value):
        return []
    from smemdsl.scenario.schema.messages import explain

    return explain(schema(), value)
