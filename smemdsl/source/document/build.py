"""Plain values from the nodes of a document, and what is wrong with them."""

from __future__ import annotations

from typing import Any

from smemdsl.core.errors import Fault
from smemdsl.source.document.nodes import MAX_DEPTH, MappingNode, Node, ScalarNode, SequenceNode
from smemdsl.source.document.scalars import BOOL, FLOAT, INT, MAP, MERGE, NULL, READ, SEQ, STR, tag_of

MAX_ALIASED = 100_000
"""Values that aliases and merge keys may add to those which the text spells out."""


class DocumentBuilder:
    """Builds values of dict, list, str, int, bool and None; `problems` pairs nodes with what is wrong."""

    def __init__(self) -> None:
        self.problems: list[tuple[Node, Fault]] = []
        self.seen: set[int] = set()
        self.open: set[int] = set()
        self.aliased = 0

    def build(self, node: Node) -> Any:
        """The value of a node; None after a problem."""
        if type(node) is ScalarNode:
            return node.value if node.tag == STR else self.scalar(node)
        identity = id(node)
        if identity in self.open:
            return self.problem(node, "yaml-alias", "an alias inside this value refers to the value itself")
        if len(self.open) > MAX_DEPTH:
            return self.problem(node, "yaml-alias", f"aliases nest more than {MAX_DEPTH} levels")
        if identity in self.seen and self.too_many(node):
            return None
        self.seen.add(identity)
        self.open.add(identity)
        value: Any = None
        if type(node) is MappingNode and node.tag == MAP:
            value = self.mapping(node)
        elif type(node) is SequenceNode and node.tag == SEQ:
            value = [self.build(item) for item in node.value]
        else:
            self.tagged(node)
        self.open.discard(identity)
        return value

    def scalar(self, node: ScalarNode) -> Any:
        """The value of a scalar that is not a string."""
        tag, text = node.tag, node.value
        if tag == FLOAT:
            message = f"{text} is a floating-point number; sizes and counts are integers"
            return self.problem(node, "yaml-float", message, "quote it if it is meant as text")
        if tag not in READ:
            return self.tagged(node)
        if tag in (BOOL, NULL) and tag_of(text) != tag:  # an explicit tag can stand before any text
            return self.problem(node, "yaml-tag", f"{text!r} is not what its tag says", "leave the tag out")
        value = READ[tag](text)
        if value is None and tag == INT:
            return self.problem(
                node, "yaml-integer", f"{text[:24] or 'nothing'} is not an integer below 2^63"
            )
        return value

    def mapping(self, node: MappingNode) -> dict[str, Any]:
        """The mapping of a node; a key that a merge brings in gives way to one that is spelt out."""
        result: dict[str, Any] = {}
        lines: dict[str, int] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if key_node.tag == STR and type(key) is str:
                result[key] = self.build(value_node)
            elif key_node.tag == MERGE:
                merged, key = self.merge(value_node), "<<"
            else:
                self.key_problem(key_node)
                continue
            if key in lines:
                message = f"{key!r} is set twice (first on line {lines[key]})"
                self.problem(key_node, "yaml-duplicate-key", message)
            else:
                lines[key] = key_node.start_mark.line + 1
        return merged | result if merged else result

    def merge(self, node: Node) -> dict[str, Any]:
        """What a merge key brings in; of several mappings the first that has a key wins."""
        before = len(self.problems)
        value = self.build(node)
        merged: dict[str, Any] = {}
        for source in value if isinstance(value, list) else [value]:
            if not isinstance(source, dict):
                if len(self.problems) == before and self.aliased <= MAX_ALIASED:  # not told already
                    self.problem(node, "yaml-merge", "a merge key takes a mapping, or a list of mappings")
                return {}
            merged = source | merged
        return merged

    def too_many(self, node: Node) -> bool:
        """Count a collection met again; True once aliases have added more than they may."""
        if self.aliased <= MAX_ALIASED:
            self.aliased += len(node.value) + 1
            if self.aliased > MAX_ALIASED:
                message = f"aliases expand to more than {MAX_ALIASED} values"
                self.problem(node, "yaml-alias", message)
        return self.aliased > MAX_ALIASED

    def tagged(self, node: Node) -> None:
        """Refuse a tag."""
        name = node.tag.replace("tag:yaml.org,2002:", "!!")
        self.problem(node, "yaml-tag", f"unsupported tag {name}", "remove it")

    def key_problem(self, node: Node) -> None:
        """Refuse a key that is not a string."""
        hint = f'quote it: "{node.value}"' if isinstance(node, ScalarNode) and node.value else ""
        self.problem(node, "yaml-key", "a key must be a string", hint)

    def problem(self, node: Node, code: str, message: str, hint: str = "") -> None:
        """Keep a problem."""
        self.problems.append((node, Fault((), code, message, hint)))
