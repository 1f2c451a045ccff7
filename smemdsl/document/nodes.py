"""A YAML text as a tree of nodes that know their line and column. The only module that knows PyYAML."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from smemdsl.document.put_off import put_off
from smemdsl.document.scalars import MAP, NUMERIC, SEQ, STR, WORDS, number_tag

with put_off():
    import yaml
    from yaml import MappingNode, Node, ScalarNode, SequenceNode, YAMLError
    from yaml.reader import ReaderError

if TYPE_CHECKING:
    from yaml import SafeLoader as _Loader
else:
    _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

__all__ = [
    "MAX_DEPTH",
    "MappingNode",
    "Node",
    "ReaderError",
    "ScalarNode",
    "SequenceNode",
    "YAMLError",
    "compose",
]

MAX_DEPTH = 64
"""Levels of nesting that a document may have."""


class _Composer(_Loader):
    """PyYAML's tree of nodes, from libyaml where it is there, with our reading of scalars."""

    depth = 0

    def resolve(self, kind: type[Node], value: Any, implicit: Any) -> str:
        if kind is not ScalarNode:
            return MAP if kind is MappingNode else SEQ
        if not implicit[0]:
            return STR
        return WORDS.get(value) or (number_tag(value) if value[0] in NUMERIC else STR)  # as tag_of does

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            mark = current_node.start_mark
            raise yaml.composer.ComposerError(None, None, f"more than {MAX_DEPTH} levels of nesting", mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


@lru_cache(maxsize=1)
def compose(text: str) -> Node | None:
    """The tree of a text, None for one without a document; kept for the last one, since an error asks again.

    Raises:
        YAMLError: it is not YAML, or more than one document.
        UnicodeEncodeError: it holds half of a surrogate pair.
    """
    node: Node | None = _Composer(text).get_single_node()
    return node
