"""A YAML text as plain values, with the line and column of each value at hand when an error needs one.

`scalars` says what a plain scalar stands for, `nodes` makes the tree, `build` the values, `places` finds
positions, `syntax` words what is not YAML at all.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdsl.core.errors import Diagnostic, Fault, ScenarioError
from smemdsl.source.document.build import MAX_ALIASED, DocumentBuilder
from smemdsl.source.document.nodes import MAX_DEPTH, YAMLError, compose
from smemdsl.source.document.places import (
    Position,
    diagnostic_at,
    lines_of,
    locate,
    position_of,
    scalar_span,
    tops,
)
from smemdsl.source.document.scalars import parse_scalar

__all__ = [
    "MAX_ALIASED",
    "MAX_DEPTH",
    "Document",
    "Position",
    "lines_of",
    "locate",
    "parse",
    "parse_scalar",
    "scalar_span",
]


class Document(NamedTuple):
    """One file: its text, and the value it stands for, of dict, list, str, int, bool and None only."""

    path: str
    text: str
    value: Any
    tops: Mapping[str, Position] = {}
    """Where the scalars at the top stand; to find anything else, the text is read again."""

    def diagnose(self, fault: Fault) -> Diagnostic:
        """The fault with the file, line and column it is at; one at a flag (`--set`) has no line."""
        if self._at_flag(fault):
            flag = " ".join(map(str, fault.where))
            message = f"{flag}: {fault.message}"
            return Diagnostic(
                self.path, None, None, fault.severity, fault.code, message, fault.hint, why=fault.why
            )
        found = diagnostic_at(self.path, self.text, self._place(fault), fault)
        return found._replace(source="") if self._is_nowhere(fault) else found

    def _place(self, fault: Fault) -> Position:
        if len(fault.where) == 1 and not fault.on_key and fault.offset is None:
            place = self.tops.get(str(fault.where[0]))
            if place is not None:
                return place
        return locate(self.text, fault.where, on_key=fault.on_key, offset=fault.offset)

    def _is_nowhere(self, fault: Fault) -> bool:
        """A warning about what the file does not say has no line that could be shown."""
        top = fault.where[0] if fault.where else None
        return fault.severity == "warning" and not (isinstance(self.value, dict) and top in self.value)

    def _at_flag(self, fault: Fault) -> bool:
        """A key that is written like a flag is a fault of the document itself: no key may be so called."""
        first = fault.where[0] if fault.where else ""
        return str(first).startswith("--") and not (isinstance(self.value, dict) and first in self.value)


def parse(path: str, text: str) -> Document:
    """Read one document.

    Raises:
        ScenarioError: with every problem found: bad syntax ends the reading; duplicate keys, floats, tags,
            keys that are not strings and excessive aliases are collected.
    """
    try:
        root = compose(text)
    except (YAMLError, UnicodeEncodeError) as error:
        from smemdsl.source.document.syntax import syntax_fault

        place, fault = syntax_fault(text, error)
        raise ScenarioError([diagnostic_at(path, text, place, fault)]) from None
    builder = DocumentBuilder()
    value = None if root is None else builder.build(root)
    if value is None and not builder.problems:
        fault = Fault((), "empty", "the file is empty", "`smemdsl init` writes a scenario to start from")
        raise ScenarioError([diagnostic_at(path, text, Position(1, 1), fault)])
    if builder.problems:
        places = sorted({(position_of(node), fault) for node, fault in builder.problems})
        raise ScenarioError(diagnostic_at(path, text, place, fault) for place, fault in places)
    return Document(path, text, value, tops(root))
