"""Where the values of a text stand."""

import re
from functools import lru_cache
from typing import NamedTuple

from smemdsl.core.errors import Diagnostic, DocPath, Fault
from smemdsl.source.document.nodes import MappingNode, Node, ScalarNode, SequenceNode, compose
from smemdsl.source.document.scalars import MERGE


class Position(NamedTuple):
    """Where a value stands: 1-based line and column, and how many characters a caret should underline."""

    line: int
    column: int
    length: int = 1


@lru_cache(maxsize=2)
def lines_of(text: str) -> list[str]:
    """The lines of a text as YAML counts them, without their ends."""
    return re.split(r"\r\n|[\n\r\x85\u2028\u2029]", text)


def position_at(text: str, index: int) -> Position:
    """The position of a character."""
    before = lines_of(text[:index])
    return Position(len(before), len(before[-1]) + 1)


def position_of(node: Node) -> Position:
    """The position of a node; the caret underlines a scalar that ends on its line."""
    start, end = node.start_mark, node.end_mark
    length = end.column - start.column if isinstance(node, ScalarNode) and end.line == start.line else 1
    return Position(start.line + 1, start.column + 1, max(length, 1))


def locate(text: str, where: DocPath, *, on_key: bool = False, offset: int | None = None) -> Position:
    """The position of the value (or of its key) at `where`, or of the nearest enclosing value that exists.

    `offset` counts characters inside a scalar; where they do not stand in the text one for one (a scalar that
    is folded or has escapes), the position is the scalar's.
    """
    node = key = compose(text)
    for step in where:
        found = _child(node, step)
        if found is None:
            break
        key, node = found
    target = key if on_key else node
    if target is None:
        return Position(1, 1)
    inside = None
    if offset is not None and isinstance(target, ScalarNode):
        inside = _inside(lines_of(text), target, offset)
    return inside or position_of(target)


def tops(root: Node | None) -> dict[str, Position]:
    """The positions of the scalars at the top of a document that is a mapping."""
    pairs = root.value if isinstance(root, MappingNode) else ()
    return {key.value: position_of(value) for key, value in pairs if type(value) is ScalarNode}


def scalar_span(text: str, where: DocPath) -> tuple[int, int] | None:
    """First and past-the-last index of the characters of a scalar, quotes included; None of anything else."""
    node = compose(text)
    for step in where:
        found = _child(node, step)
        if found is None:
            return None
        node = found[1]
    return (node.start_mark.index, node.end_mark.index) if isinstance(node, ScalarNode) else None


def diagnostic_at(path: str, text: str, place: Position, fault: Fault) -> Diagnostic:
    """A fault at a known position of a text."""
    lines = lines_of(text)
    source = lines[place.line - 1] if place.line <= len(lines) else ""
    return Diagnostic(
        path,
        place.line,
        place.column,
        fault.severity,
        fault.code,
        fault.message,
        fault.hint,
        source,
        place.length,
        fault.why,
    )


def _inside(lines: list[str], node: ScalarNode, offset: int) -> Position | None:
    """The position of a character of a scalar, if its line stands in the text as it is."""
    before, line = node.value[:offset].split("\n"), node.start_mark.line
    part = node.value.split("\n")[len(before) - 1]
    begin = node.start_mark.column
    if node.style in ("|", ">"):  # the text begins below the indicator
        line, begin = line + len(before), 0
    elif len(before) > 1:
        return None
    column = lines[line].find(part, begin) if line < len(lines) else -1
    return None if column < 0 else Position(line + 1, column + len(before[-1]) + 1)


def _child(node: Node | None, step: str | int) -> tuple[Node, Node] | None:
    """The key and value nodes that a step leads to; an item of a sequence is its own key."""
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    if not isinstance(node, MappingNode):
        return None
    own, merged = _index(node)
    if isinstance(step, str) and step in own:
        return own[step]
    return next((found for source in merged if (found := _child(source, step))), None)


@lru_cache(maxsize=16)  # those on the way to the values that are at fault, which may be thousands
def _index(node: MappingNode) -> tuple[dict[str, tuple[Node, Node]], list[Node]]:
    """The pairs of a mapping by key, the first where several are the same; and what is merged into it."""
    own: dict[str, tuple[Node, Node]] = {}
    merged: list[Node] = []
    for key, value in node.value:
        if key.tag == MERGE:
            merged += value.value if isinstance(value, SequenceNode) else [value]
        elif isinstance(key.value, str):
            own.setdefault(key.value, (key, value))
    return own, merged
