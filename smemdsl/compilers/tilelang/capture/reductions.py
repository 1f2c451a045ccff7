"""Whether a reduction crosses warps: asked of the layouts that the compiler inferred for its fragments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import region
from smemdsl.compilers.tilelang.capture.compiler import module

WARP = 32
_REPLICA = "_rep"
"""The variable of a layout that counts the copies of an element."""
Layouts = Mapping[str, Any]
"""Fragment layouts by the name of their buffer."""


def layouts(inferred: Any) -> Layouts:
    """The layouts that layout inference wrote down for the fragments of a module."""
    found: dict[str, Any] = {}
    for node in (each for func in inferred.functions.values() for each in ir.nodes(func.body)):
        if ir.kind(node) == "SBlock" and "layout_map" in node.annotations:
            for key, layout in node.annotations["layout_map"].items():
                if ir.kind(layout) == "Fragment":
                    found.setdefault(str(key.name), layout)
    return found


def reducers(reduced: Any, threads: int) -> dict[str, tuple[int, ...]]:
    """Of each reducer, by name, the workspaces of its end: how many elements for each thread.

    Its plan has steps, each over some threads; without a plan there is one, over all that hold copies. A step
    over more than a warp takes a workspace (`FinalizeReducerLowerer`).
    """
    found: dict[str, tuple[int, ...]] = {}
    for node in (each for func in reduced.functions.values() for each in ir.nodes(func.body)):
        if ir.call_name(node) == "finalize_reducer":
            notes = dict(node.annotations) if node.annotations else {}
            widths = [ir.integer(width) for width in node.args[2::2]] if "plan" in notes else [threads]
            batch = ir.constant(notes.get("batch", 1)) or 1
            name = str(region(node.args[0]).buffer.name)
            found.setdefault(name, tuple(batch for width in widths if width > WARP))
    return found


def crosses_warps(layout: Any, axis: int) -> bool:
    """Whether elements along an axis lie in more than one warp, the other indexes being 0.

    AllReduce takes a workspace where it goes over more than 32 threads (`AllReduceNeedsWorkspace`).
    """
    shape = [ir.integer(extent) for extent in layout.get_input_shape()]
    variables = list(layout.get_forward_vars())
    indexes = [var for var in variables if str(var.name) != _REPLICA]
    moving = indexes[axis % len(shape)]
    zeros = {var: ir.number(0) for var in variables}
    substitute = module("tvm.tirx.stmt_functor").substitute
    threads = (
        ir.integer(substitute(layout.thread, {**zeros, moving: ir.number(index)}))
        for index in range(shape[axis % len(shape)])
    )
    return len({thread // WARP for thread in threads}) > 1
