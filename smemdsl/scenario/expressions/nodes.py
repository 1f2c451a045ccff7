"""The expression tree: nine kinds of node, immutable, each with the offset at which its text begins.

Operators of one precedence that stand in a row are one node, so that a long sum is wide and not deep.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from smemdsl.core.dtypes import DType

Value: TypeAlias = int | bool | DType
"""What an expression, and a parameter, can be."""


class Constant(NamedTuple):
    """A number, `true` or `false`, or a dtype's name."""

    value: Value
    offset: int = 0


class Name(NamedTuple):
    """A parameter."""

    name: str
    offset: int = 0


class Unary(NamedTuple):
    """`-x`, `+x` or `not x`."""

    op: str
    operand: "Node"
    offset: int


class Operation(NamedTuple):
    """An operator and what stands on its right; no node by itself."""

    op: str
    operand: "Node"
    offset: int
    """Where the operator stands."""


class Chain(NamedTuple):
    """Arithmetic of one precedence, from left to right: `a + b - c`, `a * b // c % d`, or one `a ** b`."""

    first: "Node"
    rest: tuple[Operation, ...]
    offset: int


class Compare(NamedTuple):
    """`a < b`, or a chain of comparisons that all must hold: `a < b <= c`."""

    first: "Node"
    rest: tuple[Operation, ...]
    offset: int


class Logic(NamedTuple):
    """`a and b and c`, or the same with `or`; what does not matter is not evaluated."""

    op: str
    operands: "tuple[Node, ...]"
    offset: int


class Conditional(NamedTuple):
    """`chosen if test else otherwise`; only one of the two is evaluated."""

    chosen: "Node"
    test: "Node"
    otherwise: "Node"
    offset: int


class Call(NamedTuple):
    """A call of one of the functions."""

    function: str
    arguments: "tuple[Node, ...]"
    offset: int


Node: TypeAlias = Constant | Name | Unary | Chain | Compare | Logic | Conditional | Call


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, in the order of the text."""
    if isinstance(node, (Constant, Name)):
        return ()
    if isinstance(node, Unary):
        return (node.operand,)
    if isinstance(node, (Chain, Compare)):
        return (node.first, *(step.operand for step in node.rest))
    if isinstance(node, Logic):
        return node.operands
    if isinstance(node, Conditional):
        return (node.chosen, node.test, node.otherwise)
    return node.arguments


@lru_cache(maxsize=4096)  # the files of a batch say the same things
def names(node: Node) -> tuple[Name, ...]:
    """Every use of a parameter, in the order of the text; dtypes and constants are none."""
    return tuple(_names(node))


def _names(node: Node) -> Iterator[Name]:
    if isinstance(node, Name):
        yield node
    for child in children(node):
        yield from _names(child)
