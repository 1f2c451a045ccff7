"""Reading TileLang's intermediate representation: allocations, launches, sizes."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError
from smemdsl.compilers.tilelang.capture.compiler import module

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
    size, count = bits(dtype), prod(shape)
    return -(-count * size // 8) if size < 8 else count * -(-size // 8)


def elements(shape: Iterable[int]) -> int:
    """Elements of an array."""
    return prod(shape)


def bits(dtype: str) -> int:
    """Bits of an element."""
    known = module("tvm").DataType(dtype)
    return int(known.bits) * int(known.lanes)


def number(value: int) -> Any:
    """A number of the IR."""
    return module("tvm.tirx").IntImm("int32", value)


def nodes(node: Any) -> list[Any]:
    """Every node below, children first; a list, since no exception passes through the compiler's own walk."""
    found: list[Any] = []
    module("tvm.tirx.stmt_functor").post_order_visit(node, found.append)
    return found


def at_top(node: Any) -> list[Any]:
    """The statements of a kernel outside every loop and `if`, but the halves of warp specialisation."""
    if kind(node) == "SeqStmt":
        return [each for part in node.seq for each in at_top(part)]
    if kind(node) == "AttrStmt":
        if node.attr_key == "kWarpSpecializationScope" and kind(node.body) == "IfThenElse":
            halves = (node.body.then_case, node.body.else_case)
            return [each for half in halves if half is not None for each in at_top(half)]
        return at_top(node.body)
    return [node]


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
    buffers = [buffer for node in nodes(body) for buffer in _allocated(node)]
    return [array(buffer) for buffer in buffers if buffer.scope() in scopes]


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


def difference(expression: Any, variable: Any) -> int | None:
    """By how much an expression grows when a variable grows by one; None where that depends."""
    substitute = module("tvm.tirx.stmt_functor").substitute
    return constant(substitute(expression, {variable: variable + 1}) - expression)


def aliases(body: Any) -> dict[str, str]:
    """New names of shared arrays that the kernel views under another one: the compiler goes on with that."""
    found: dict[str, str] = {}
    owners = {buffer.data: str(buffer.name) for node in nodes(body) for buffer in _allocated(node)}
    accesses = (node for node in nodes(body) if kind(node) in ("BufferLoad", "BufferStore"))
    for name, own in ((str(each.buffer.name), owners.get(each.buffer.data)) for each in accesses):
        if own is not None and name != own:
            found[own] = name
    return found


def _allocated(node: Any) -> list[Any]:
    if kind(node) == "SBlock":
        return list(node.alloc_buffers)
    return [node.buffer] if kind(node) == "AllocBuffer" else []


def threads(body: Any) -> int:
    """Threads of a block, from its launch."""
    extents = {
        str(node.node.thread_tag): integer(node.value)
        for node in nodes(body)
        if kind(node) == "AttrStmt"
        and node.attr_key == "thread_extent"
        and "threadIdx" in node.node.thread_tag
    }
    return prod(extents.values())


_PARTS = {
    "SeqStmt": ("seq",),
    "For": ("min", "extent", "body"),
    "While": ("condition", "body"),
    "IfThenElse": ("condition", "then_case", "else_case"),
    "AttrStmt": ("value", "body"),
    "SBlockRealize": ("block",),
    "SBlock": ("init", "body"),
    "Evaluate": ("value",),
    "Bind": ("value",),
    "AssertStmt": ("condition",),
    "Cast": ("value",),
    "Not": ("a",),
    "Select": ("condition", "true_value", "false_value"),
    "Ramp": ("base", "stride"),
    "Broadcast": ("value",),
    "Shuffle": ("vectors", "indices"),
    "Let": ("value", "body"),
}


def children(node: Any) -> list[Any]:
    """The nodes directly below, in source order; loads, stores and calls are the caller's."""
    parts = _PARTS.get(kind(node), ("a", "b") if hasattr(node, "a") and hasattr(node, "b") else ())
    found: list[Any] = []
    for part in parts:
        value = getattr(node, part)
        if value is not None:
            found.extend(value if kind(value) in ("Array", "list", "tuple") else [value])
    return found
