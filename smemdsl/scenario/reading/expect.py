"""What a scenario expects of itself, from a document: names checked, numbers unbound."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from smemdsl.core.errors import DocPath
from smemdsl.scenario.spec import ExpectedNumber, ExpectSpec, Number

_COMPARISON = r"\s*(==|!=|<=|>=|<|>)?\s*"
ReadNumber = Callable[[Any, DocPath], Number]


class ExpectFields(Protocol):
    """What reads the fields of a scenario, and keeps the faults."""

    def number(self, value: int | str, where: DocPath) -> Number:
        """An integer or an expression."""

    def size(self, value: int | str, where: DocPath) -> Number:
        """The same, or bytes with their unit."""

    def known_buffer(self, name: str, where: DocPath, *, on_key: bool = False) -> None:
        """See to it that the buffer is declared."""

    def known_parameter(self, name: str, where: DocPath) -> bool:
        """See to it that the parameter is declared."""


def read_expect(value: dict[str, Any], where: DocPath, fields: ExpectFields) -> ExpectSpec:
    """The expectations of a document, or those of one device in it."""
    check_names(value, where, fields)
    arena = []
    if "arena" in value:
        arena.append(comparison(value["arena"], (*where, "arena"), fields.size))
    for key, relation in (("arena_max", "<="), ("arena_min", ">=")):
        if key in value:
            place = (*where, key)
            arena.append(ExpectedNumber(relation, fields.size(value[key], place), place))
    blocks = value.get("blocks_per_sm")
    return ExpectSpec(
        where,
        value.get("fits"),
        tuple(arena),
        comparisons(value, "versions", where, fields),
        tuple((tuple(names), (*where, "share", i)) for i, names in enumerate(value.get("share", ()))),
        comparisons(value, "max", where, fields),
        None if blocks is None else comparison(blocks, (*where, "blocks_per_sm"), fields.number),
    )


def check_names(value: dict[str, Any], where: DocPath, fields: ExpectFields) -> None:
    """Whether the buffers and parameters that something is expected of are there."""
    for name in value.get("versions", {}):
        fields.known_buffer(name, (*where, "versions", name), on_key=True)
    for i, names in enumerate(value.get("share", ())):
        for j, name in enumerate(names):
            fields.known_buffer(name, (*where, "share", i, j))
    for name in value.get("max", {}):
        fields.known_parameter(name, (*where, "max", name))


def comparisons(
    value: dict[str, Any], key: str, where: DocPath, fields: ExpectFields
) -> tuple[tuple[str, ExpectedNumber], ...]:
    """The expectations of a mapping of names to numbers."""
    items = value.get(key, {}).items()
    return tuple((name, comparison(v, (*where, key, name), fields.number)) for name, v in items)


def comparison(value: int | str, where: DocPath, read: ReadNumber) -> ExpectedNumber:
    """A number that is met exactly, or one after a relation: `<= 96 KiB`."""
    if isinstance(value, int):
        return ExpectedNumber("==", value, where)
    match = re.match(_COMPARISON, value)
    assert match is not None
    number = " " * match.end() + value[match.end() :]  # the offsets of faults stay those of the whole text
    return ExpectedNumber(match[1] or "==", read(number, where), where)
