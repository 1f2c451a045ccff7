"""The axes that a scenario sweeps or fills, from a document: names checked, values unbound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from smemdsl.core.errors import DocPath, ExpressionError, Fault
from smemdsl.scenario.axes import AxisError, ReadChoice, fill_fault, read_axis
from smemdsl.scenario.spec import Axis, Choice


class AxisFields(Protocol):
    """What reads the fields of a scenario, and keeps the faults."""

    faults: list[Fault]

    def choice(self, name: str, value: int | bool | str, where: DocPath) -> Choice:
        """A value for a parameter."""

    def known_parameter(self, name: str, where: DocPath) -> bool:
        """See to it that the parameter is declared."""

    def bad_text(self, error: ExpressionError, where: DocPath) -> None:
        """Keep what is wrong with a text."""


def read_axes(key: str, value: Mapping[str, Any], fields: AxisFields) -> tuple[Axis, ...]:
    """The axes below a key; those of `fill` hold integers, since the largest is wanted."""
    axes = []
    for name, values in value.items():
        where: DocPath = (key, name)
        if not fields.known_parameter(name, where):
            continue
        try:
            axes.append(read_axis(name, values, _choice_of(name, where, fields)))
        except AxisError as error:
            fields.bad_text(error, (*where, *error.index))
    if key == "fill":
        fields.faults += filter(None, map(fill_fault, axes))
    return tuple(axes)


def _choice_of(name: str, where: DocPath, fields: AxisFields) -> ReadChoice:
    return lambda value, index: fields.choice(name, value, (*where, *index))
