"""A YAML text as plain values, with the line and column of each value at hand when an error needs one.

The only module that knows PyYAML. Scalars are read as YAML 1.2's core schema reads them, stricter: `no`,
`on`, `1_000`, `12:30`, `010` and dates are strings, and floats are errors, since JSON Schema would take 128.0
for an integer.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from smemdsl.errors import Diagnostic, DocPath, Fault, ScenarioError

if TYPE_CHECKING:
    from yaml import SafeLoader as _Loader
else:
    _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_DEPTH = 64
"""Levels of nesting that a document may have."""
MAX_ALIASED = 100_000
"""Values that aliases and merge keys may add to those which the text spells out."""

_STR, _INT, _BOOL, _NULL, _FLOAT, _MERGE, _MAP, _SEQ = (
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "bool", "null", "float", "merge", "map", "seq")
)
_INTEGER = re.compile(r"(?:[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+)\Z")
_DECIMAL = re.compile(
    r"[-+]?(?:(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))\Z"
)
_TRUE = ("true", "True", "TRUE")
_WORDS = (
    dict.fromkeys((*_TRUE, "false", "False", "FALSE"), _BOOL)
    | dict.fromkeys(("", "~", "null", "Null", "NULL"), _NULL)
    | dict.fromkeys((".nan", ".NaN", ".NAN"), _FLOAT)
    | {"<<": _MERGE}
)


class Position(NamedTuple):
    """Where a value stands: 1-based line and column, and how many characters a caret should underline."""

    line: int
    column: int
    length: int = 1


class Document(NamedTuple):
    """One file: its text, and the value it stands for, of dict, list, str, int, bool and None only."""

    path: str
    text: str
    value: Any

    def diagnose(self, fault: Fault) -> Diagnostic:
        """The fault with the file, line and column it is at; one at a flag (`--set`) has no line."""
        if fault.where and str(fault.where[0]).startswith("--"):
            flag = " ".join(map(str, fault.where))
            return Diagnostic(
                self.path, None, None, fault.severity, fault.code, f"{flag}: {fault.message}", fault.hint
            )
        place = locate(self.text, fault.where, on_key=fault.on_key, offset=fault.offset)
        return diagnostic_at(self.path, self.text, place, fault)


def parse(path: str, text: str) -> Document:
    """Read one document.

    Raises:
        ScenarioError: with every problem found: bad syntax ends the reading; duplicate keys, floats, tags,
            keys that are no strings and excessive aliases are collected.
    """
    try:
        root = _compose(text)
    except yaml.YAMLError as error:
        place, fault = _syntax_fault(text, error)
        raise ScenarioError([diagnostic_at(path, text, place, fault)]) from None
    if root is None:
        fault = Fault((), "empty", "the file holds no scenario", "`smemdsl init` writes one to start from")
        raise ScenarioError([diagnostic_at(path, text, Position(1, 1), fault)])
    builder = _Builder()
    value = builder.build(root)
    if builder.problems:
        places = sorted((_position(node), fault) for node, fault in builder.problems)
        raise ScenarioError(diagnostic_at(path, text, place, fault) for place, fault in places)
    return Document(path, text, value)


def parse_scalar(text: str) -> Any:
    """What a plain scalar of this text stands for in a document; floats stay strings."""
    tag = _WORDS.get(text) or (_INT if _INTEGER.match(text) else _STR)
    return _SCALARS.get(tag, str)(text)


def locate(text: str, where: DocPath, *, on_key: bool = False, offset: int | None = None) -> Position:
    """The position of the value (or of its key) at `where`, or of the nearest enclosing value that exists."""
    node = key = _compose(text)
    for step in where:
        found = _child(node, step)
        if found is None:
            break
        key, node = found
    target = key if on_key else node
    if target is None:
        return Position(1, 1)
    place = _position(target)
    if offset is None or not isinstance(target, yaml.ScalarNode):
        return place
    line = lines_of(text)[place.line - 1]
    begin = line.find(target.value, place.column - 1)
    if begin < 0:  # a folded or escaped scalar: the characters do not stand on the line one for one
        return place
    return Position(place.line, begin + offset + 1)


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
    )


@lru_cache(maxsize=2)
def lines_of(text: str) -> list[str]:
    """The lines of a text as YAML counts them, without their ends."""
    return re.split(r"\r\n|[\n\r\x85\u2028\u2029]", text)


class _Composer(_Loader):
    """PyYAML's tree of nodes, from libyaml where it is there, with our reading of scalars."""

    depth = 0

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        if kind is not yaml.ScalarNode:
            return _MAP if kind is yaml.MappingNode else _SEQ
        if not implicit[0]:
            return _STR
        if (tag := _WORDS.get(value)) is not None:
            return tag
        if value[0] in "+-.0123456789":
            if _INTEGER.match(value):
                return _INT
            if _DECIMAL.match(value):
                return _FLOAT
        return _STR

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            mark = current_node.start_mark
            raise yaml.composer.ComposerError(None, None, f"more than {MAX_DEPTH} levels of nesting", mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


@lru_cache(maxsize=1)
def _compose(text: str) -> yaml.Node | None:
    """The tree of a text; kept for the last one, since an error asks for it again."""
    node: yaml.Node | None = _Composer(text).get_single_node()
    return node


def _integer(text: str) -> int | None:
    if len(text) > 24:
        return None
    value = int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    return value if -(2**63) < value < 2**63 else None


_SCALARS: dict[str, Any] = {
    _STR: str,
    _MERGE: str,
    _INT: _integer,
    _BOOL: _TRUE.__contains__,
    _NULL: lambda _: None,
}


class _Builder:
    """Plain values from nodes; `problems` pairs the node at fault with what is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[tuple[yaml.Node, Fault]] = []
        self.seen: set[int] = set()
        self.open: set[int] = set()
        self.aliased = 0

    def build(self, node: yaml.Node) -> Any:
        if type(node) is yaml.ScalarNode:
            return self.scalar(node)
        identity = id(node)
        if identity in self.open:
            return self.problem(node, "yaml-alias", "the alias refers to a value that it is part of")
        if identity in self.seen and self.too_many(node):
            return None
        self.seen.add(identity)
        self.open.add(identity)
        value: Any = None
        if isinstance(node, yaml.MappingNode) and node.tag == _MAP:
            value = self.mapping(node)
        elif node.tag == _SEQ:
            value = [self.build(item) for item in node.value]
        else:
            self.tagged(node)
        self.open.discard(identity)
        return value

    def scalar(self, node: yaml.ScalarNode) -> Any:
        tag, text = node.tag, node.value
        if tag == _STR:
            return text
        if tag == _FLOAT:
            return self.problem(
                node,
                "yaml-float",
                f"{text} is a floating-point number; sizes and counts are integers",
                "quote it if it is meant as text",
            )
        read = _SCALARS.get(tag)
        if read is None:
            self.tagged(node)
            return None
        value = read(text)
        if value is None and tag == _INT:
            return self.problem(node, "yaml-integer", f"{text[:24]} is not an integer below 2^63")
        return value

    def mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        result: dict[str, Any] = {}
        lines: dict[str, int] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == _MERGE:
                merged = self.merge(value_node) | merged
                continue
            key = key_node.value
            if key_node.tag != _STR:
                self.problem(
                    key_node,
                    "yaml-key",
                    "a key must be a string",
                    f'quote it: "{key}"' if isinstance(key, str) else "",
                )
                continue
            if key in lines:
                self.problem(
                    key_node, "yaml-duplicate-key", f"{key!r} is set twice (first on line {lines[key]})"
                )
            lines[key] = key_node.start_mark.line + 1
            result[key] = self.build(value_node)
        return merged | result if merged else result

    def merge(self, node: yaml.Node) -> dict[str, Any]:
        """What a merge key brings in; of several mappings the first that has a key wins."""
        value = self.build(node)
        sources = value if isinstance(value, list) else [value]
        merged: dict[str, Any] = {}
        for source in sources:
            if not isinstance(source, dict):
                self.problem(node, "yaml-merge", "a merge key takes a mapping, or a list of mappings")
                return {}
            merged = source | merged
        return merged

    def too_many(self, node: yaml.Node) -> bool:
        """Count a collection met again; True once aliases have added more than they may."""
        if self.aliased <= MAX_ALIASED < (total := self.aliased + len(node.value) + 1):
            self.problem(node, "yaml-alias", f"aliases expand the document by more than {MAX_ALIASED} values")
            self.aliased = total
        elif self.aliased <= MAX_ALIASED:
            self.aliased = total
        return self.aliased > MAX_ALIASED

    def tagged(self, node: yaml.Node) -> None:
        self.problem(node, "yaml-tag", f"the tag {node.tag!r} has no meaning here", "leave it out")

    def problem(self, node: yaml.Node, code: str, message: str, hint: str = "") -> None:
        self.problems.append((node, Fault((), code, message, hint)))


def _position(node: yaml.Node) -> Position:
    start, end = node.start_mark, node.end_mark
    length = end.column - start.column if isinstance(node, yaml.ScalarNode) and end.line == start.line else 1
    return Position(start.line + 1, start.column + 1, max(length, 1))


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The key and value nodes that a step leads to; an item of a sequence is its own key."""
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    if not isinstance(node, yaml.MappingNode):
        return None
    merged: list[yaml.Node] = []
    for key, value in node.value:
        if key.value == step and key.tag != _MERGE:
            return key, value
        if key.tag == _MERGE:
            merged += value.value if isinstance(value, yaml.SequenceNode) else [value]
    return next((found for source in merged if (found := _child(source, step))), None)


def _syntax_fault(text: str, error: yaml.YAMLError) -> tuple[Position, Fault]:
    """Where a text stops being YAML, and why, from PyYAML's exception."""
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position)
        column = error.position - (text.rfind("\n", 0, error.position) + 1)
        shown = (
            f"U+{ord(error.character):04X}"
            if isinstance(error.character, str)
            else f"U+{error.character:04X}"
        )
        return Position(line + 1, column + 1), Fault(
            (), "yaml-character", f"the character {shown} is not allowed"
        )
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    words = [getattr(error, "problem", None), getattr(error, "context", None)]
    message = ", ".join(word for word in words if word) or "not YAML"
    place = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
    if "another document" in message:
        return place, Fault((), "yaml-documents", "a second document begins here; a file holds one scenario")
    return place, Fault((), "yaml-syntax", message)
