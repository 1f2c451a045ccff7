"""The emitted kernel: a tree of what the compiler's allocator walks over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from smemdsl.core.buffers import Bytes

SLOTS = "merge-shared-memory/liveness"
"""The rule of a node that no other rule made."""


class Node(NamedTuple):
    """A statement of the emitted kernel, or a loop or `if` of them."""

    label: str
    kind: Literal["leaf", "loop", "if"] = "leaf"
    touched: tuple[str, ...] = ()
    """Shared buffers that a leaf, or a loop or `if` with its own bounds or condition, touches, in order."""
    body: tuple[Node, ...] = ()
    nest: bool = False
    """Counts as one level of depth for the end-of-life move."""
    rule: str = SLOTS
    """The rule that made it."""
    merge: tuple[str, ...] = ()
    """Neighbours with the same non-empty key are one conditional."""
    scalar: bool = False
    """A scalar variable: what it touches counts with the loop, `if` or kernel that it stands in."""
    workspace: Bytes = 0
    """Size of the workspace that it needs; 0 for none."""


def everything(node: Node) -> Iterator[Node]:
    """A node and all under it, in order."""
    yield node
    for inner in node.body:
        yield from everything(inner)


def touched(node: Node) -> tuple[str, ...]:
    """All buffers touched under a node, each once, in order of first touch."""
    return tuple(dict.fromkeys(name for each in everything(node) for name in each.touched))


def also_touching(nodes: Iterable[Node], names: tuple[str, ...]) -> list[Node]:
    """Nodes whose own bounds or conditions touch some buffers."""
    return [node._replace(touched=(*node.touched, *names)) for node in nodes]


def is_sequence(nodes: Sequence[Node]) -> bool:
    """Whether a loop with this body has two or more statements in it, looking through `if`s."""
    return len(nodes) > 1 or any(node.kind == "if" and is_sequence(node.body) for node in nodes)


def loop_of(nodes: Iterable[Node], label: str, rule: str) -> list[Node]:
    """A loop around nodes; none around nothing."""
    body = tuple(nodes)
    return [Node(label, "loop", body=body, nest=is_sequence(body), rule=rule)] if body else []


def condition(nodes: Iterable[Node], label: str, rule: str) -> list[Node]:
    """An `if` around nodes; none around nothing."""
    body = tuple(nodes)
    return [Node(label, "if", body=body, rule=rule)] if body else []
