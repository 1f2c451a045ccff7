"""Reading TileLang's intermediate representation: allocations, launches, sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any, NamedTuple

from smemdsl.capture.failing import CaptureError
from smemdsl.capture.tilelang.compiler import module

DYNAMIC = "shared.dyn"
STATIC = ("shared", "shared.barrier", "shared.cluster_barrier")
"""Scopes of static shared memory: arrays of a kernel, and barriers."""


class Array(NamedTuple):
    """An allocation in shared memory."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    scope: str

    @property
    def bytes(self) -> int:
        """As TileLang stores it: sub-byte elements packed, others in whole bytes."""
        return storage_bytes(self.shape, self.dtype)


def storage_bytes(shape: Iterable[int], dtype: str) -> int:
    """Bytes of an array."""
    known = module("tvm").DataType(dtype)
    bits = int(known.bits) * int(known.lanes)
    elements = prod(shape)
    return -(-elements * bits // 8) if bits < 8 else elements * -(-bits // 8)


def visit(node: Any, action: Callable[[Any], None]) -> None:
    """Call an action on every node below, children first."""
    module("tvm.tirx.stmt_functor").post_order_visit(node, action)


def kind(node: Any) -> str:
    """The short name of a node's type."""
    return type(node).__name__


def call_name(node: Any) -> str:
    """What a call calls, without the dialect; empty where the node is no call."""
    if kind(node) != "Call":
        return ""
    return str(getattr(node.op, "name", node.op)).rpartition(".")[2]


def arrays(body: Any, scopes: Iterable[str]) -> list[Array]:
    """Allocations below a node, of buffers in some scopes, in order.

    Raises:
        CaptureError: one has a size that is only known at run time.
    """
    found: list[Array] = []

    def look(node: Any) -> None:
        buffers = []
        if kind(node) == "SBlock":
            buffers = list(node.alloc_buffers)
        elif kind(node) == "AllocBuffer":
            buffers = [node.buffer]
        found.extend(array(buffer) for buffer in buffers if buffer.scope() in scopes)

    visit(body, look)
    return found


def array(buffer: Any) -> Array:
    """The allocation of one buffer."""
    return Array(str(buffer.name), tuple(integer(n) for n in buffer.shape), str(buffer.dtype), buffer.scope())


def integer(value: Any) -> int:
    """A number of the IR.

    Raises:
        CaptureError: it is none.
    """
    found = constant(value)
    if found is None:
        raise CaptureError("capture-symbolic", f"a size is only known at run time: {value}")
    return found


def constant(value: Any) -> int | None:
    """A number of the IR, folded; None where it is none."""
    if isinstance(value, int):
        return value
    if kind(value) != "IntImm":
        value = module("tvm").arith.Analyzer().simplify(value)
    return int(value.value) if kind(value) == "IntImm" else None


def threads(body: Any) -> int:
    """Threads of a block, from its launch."""
    extents: dict[str, int] = {}

    def look(node: Any) -> None:
        if kind(node) == "AttrStmt" and node.attr_key == "thread_extent":
            extents[str(node.node.thread_tag)] = integer(node.value)

    visit(body, look)
    return prod(extent for tag, extent in extents.items() if tag.startswith("threadIdx"))
