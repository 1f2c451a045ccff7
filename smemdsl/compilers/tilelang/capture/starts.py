"""Where a pipelined loop starts: what the compiler can rule out of its prologue is asked of the compiler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.compiler import module

STAGE = "software_pipeline_stage"
_KEPT = "kept"
Depths = Mapping[Any, int]
"""The largest stage of each loop that was planned, by its variable."""


class Around(NamedTuple):
    """The range of a variable around a loop."""

    variable: Any
    least: Any
    extent: Any


def depths(planned: Any) -> Depths:
    """The largest stage of each loop, as planning annotated it."""
    loops = [node for func in planned.functions.values() for node in ir.nodes(func.body)]
    return {
        node.loop_var: max(map(int, node.annotations[STAGE]))
        for node in loops
        if ir.kind(node) == "For" and STAGE in node.annotations
    }


def is_clamped(loop: Any, depth: int, around: Iterable[Around]) -> bool:
    """Whether the prologue of a loop keeps the statements of the last stage, which no round of it runs.

    Each statement stands there under a condition, that its iteration is in range (`EmitImpl` in TileLang
    0.1.15's `inject_pipeline.cc`); the compiler's `Simplify` takes out what it can prove false. Of a `max` or
    `min` it often cannot, and it depends on the depth: so it is given that loop alone.
    """
    tirx, tvm = module("tvm.tirx"), module("tvm")
    variable = tirx.Var("k", loop.loop_var.dtype)
    least = loop.min
    known = tvm.arith.Analyzer()
    known.bind(variable, tvm.ir.Range(least, least + depth - least))
    iteration = variable - depth
    in_range = known.simplify(tirx.And(least <= iteration, iteration < least + loop.extent))
    call = tirx.Evaluate(tirx.call_extern("int32", _KEPT, variable))
    body = tirx.For(
        variable, least, ir.number(depth), tirx.ForKind.UNROLLED, tirx.IfThenElse(in_range, call, None)
    )
    for outer in reversed(list(around)):
        body = tirx.For(outer.variable, outer.least, outer.extent, tirx.ForKind.SERIAL, body)
    alone = tvm.IRModule({"main": tirx.PrimFunc(list(tvm.tirx.analysis.undefined_vars(body, [])), body)})
    simple = module("tilelang.transform").Simplify()(alone)["main"]
    return any(ir.call_name(node) == "call_extern" for node in ir.nodes(simple.body))
