"""A YAML text as a tree of nodes that know their line and column. The only module that knows PyYAML."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import is_
from typing import TYPE_CHECKING, Any

from smemdsl.source.document.scalars import MAP, SEQ, STR, tag_of
from smemdsl.source.lazy_yaml_regex import deferred_regexes

with deferred_regexes():
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
_MOST_IN_FLOW = 41
"""Levels in brackets and braces of a text that is known to be flat: with two block collections for each of
the 11 columns that `_DEEP` leaves, and a scalar inside, `MAX_DEPTH` levels."""
_DEEP = re.compile("[\n\r\x85\u2028\u2029\ufeff][ \t?:-]{11}")
"""What a block collection that begins beyond column 10 has before it: nothing else can stand there."""
_tag_of = lru_cache(maxsize=8192)(tag_of)  # files share most of their words


class _Composer(_Loader):
    """PyYAML's tree of nodes, from libyaml where it is there, with our reading of scalars."""

    descend_resolver: Any = is_
    ascend_resolver: Any = tuple
    """Called around each node, for nothing: built-in functions, which cost least."""

    def resolve(self, kind: type[Node], value: Any, implicit: Any) -> str:
        if kind is not ScalarNode:
            return MAP if kind is MappingNode else SEQ
        if not implicit[0]:
            return STR
        return _tag_of(value)


class _CountingComposer(_Composer):
    """The same, with an end to the nesting: the tree is built by a function that calls itself."""

    depth = 0

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
    composer = _Composer if _is_flat(text) else _CountingComposer
    node: Node | None = composer(text).get_single_node()
    return node


def _is_flat(text: str) -> bool:
    """Whether a text can be seen to nest no deeper than it may, without being parsed."""
    in_flow = 2 * text.count("[") + text.count("{")  # [a: b] is a mapping in a sequence
    return in_flow <= _MOST_IN_FLOW and not _DEEP.search(f"\n{text}")
