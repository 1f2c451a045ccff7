"""Which shared buffers a part of a kernel reads and writes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from smemdsl.compilers.tilelang.capture import ir

READ, WRITE = 1, 2
"""Bits of the compiler's access masks."""
INDEX = 4
"""A bit of ours: a read for an index or an address, which the compiler's planning does not see."""
Names = Mapping[Any, str]
"""Name in the scenario of each shared buffer, static arrays included, by the variable of its data."""


class Region(NamedTuple):
    """What a tile operation is given: a buffer, the access mask, least index and extent of each axis."""

    buffer: Any
    mask: int
    mins: tuple[Any, ...]
    extents: tuple[Any, ...]


class Touched(NamedTuple):
    """Shared buffers by name, each once, in the order of first touch."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    indexes: tuple[str, ...] = ()
    """Those that are read for an index or an address, and for nothing else."""

    def __bool__(self) -> bool:
        """Whether it touches any."""
        return bool(self.reads or self.writes or self.indexes)


def region(call: Any) -> Region:
    """The region that a `tl.region` call stands for: a load of its first element, the mask, the extents."""
    load, mask, *extents = call.args
    lead = len(load.indices) - len(extents)
    return Region(load.buffer, ir.constant(mask) or READ, tuple(load.indices), (1,) * lead + tuple(extents))


def regions(call: Any) -> list[Region]:
    """The regions among the arguments of a tile operation, in order."""
    return [region(arg) for arg in call.args if ir.call_name(arg) == "region"]


def touched(node: Any, names: Names) -> Touched:
    """What a statement or an expression touches."""
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    indexes: dict[str, None] = {}
    for var, mask in accesses(node):
        if (name := names.get(var)) is not None:
            if mask & INDEX:
                indexes[name] = None
            elif mask & READ:
                reads[name] = None
            if mask & WRITE:
                writes[name] = None
    return Touched(tuple(reads), tuple(writes), tuple(name for name in indexes if name not in reads))


def reads_any(node: Any, variables: Container[Any]) -> bool:
    """Whether a statement reads one of some arrays, given by their data variables."""
    return any(var in variables and mask & READ for var, mask in accesses(node))


def accesses(node: Any) -> Iterator[tuple[Any, int]]:
    """Data variable and mask of every access below a node, in source order."""
    found: list[tuple[Any, int]] = []
    _collect(node, found)
    yield from found


def _collect(node: Any, found: list[tuple[Any, int]]) -> None:
    """Accesses in source order; the compiler's own walk has no hook to stop at a call."""
    if ir.kind(node) == "BufferLoad":
        _collect_indexes(node.indices, found)
        found.append((node.buffer.data, READ))
    elif ir.kind(node) == "BufferStore":
        _collect_indexes(node.indices, found)
        _collect(node.value, found)
        found.append((node.buffer.data, WRITE))
    elif ir.kind(node) == "Var":
        found.append((node, INDEX))
    elif ir.kind(node) == "Call":
        _collect_call(node, found)
    else:
        _collect_all(ir.children(node), found)


def _collect_call(call: Any, found: list[tuple[Any, int]]) -> None:
    name = ir.call_name(call)
    if name == "region":
        part = region(call)
        _collect_indexes(part.mins, found)
        found.append((part.buffer.data, part.mask))
    elif name == "access_ptr":
        load = call.args[0]
        _collect_all(load.indices, found)
        found.append((load.buffer.data, ir.constant(call.args[2]) or READ | WRITE))
    elif name == "tvm_access_ptr":
        _collect_all(call.args[2:], found)
        mask = ir.constant(call.args[4]) if len(call.args) > 4 else None
        found.append((call.args[1], mask or READ | WRITE))
    elif name == "address_of" and ir.kind(call.args[0]) == "BufferLoad":
        _collect_indexes(call.args[0].indices, found)
        found.append((call.args[0].buffer.data, READ | WRITE))
    else:
        _collect_all(call.args, found)


def _collect_all(nodes: Any, found: list[tuple[Any, int]]) -> None:
    for node in nodes:
        _collect(node, found)


def _collect_indexes(nodes: Any, found: list[tuple[Any, int]]) -> None:
    """What planning does not see: `BufferRegionCollector` in TileLang 0.1.15 looks into no index."""
    inner: list[tuple[Any, int]] = []
    _collect_all(nodes, inner)
    found.extend((var, mask | INDEX) for var, mask in inner)
