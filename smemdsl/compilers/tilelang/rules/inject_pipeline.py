"""A software-pipelined loop becomes a prologue, a steady loop and an epilogue.

With s the largest stage: s rounds of prologue, each with the statements of the stages begun so far; the
steady loop, one slot, its bare statements if it has one iteration and absent if it has none; and s rounds of
epilogue. Statements whose iteration is out of range are left out. Where a bound is computed and s is at least
2, the prologue or the epilogue is one slot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.emitted_ir import Node, also_touching, loop_of
from smemdsl.compilers.tilelang.rules.pipeline_planning import Plan
from smemdsl.program.rule import Rule
from smemdsl.program.statements import CLAMPED, COMPUTED, Loop, Statement

RULE = Rule(
    "inject-pipeline/prologue",
    compiler="TileLang",
    passes="InjectSoftwarePipeline",
    source="src/transform/inject_pipeline.cc",
    since="0.1.15",
    evidence="257 recorded programs with the compiler's total; as one slot instead, 8 of them are wrong",
)

Emit = Callable[[Sequence[Statement]], list[Node]]
"""Emits statements that stand beside each other."""


class Pipeline(NamedTuple):
    """A loop that was planned, and what is needed to emit parts of it."""

    loop: Loop
    body: tuple[Statement, ...]
    """The statements that planning counted, in source order."""
    planned: Plan
    emit: Emit

    @property
    def depth(self) -> int:
        """The largest stage: the rounds of prologue and epilogue."""
        return self.planned.last_stage

    @property
    def extent(self) -> int | None:
        """Iterations; None where they are computed."""
        return None if self.loop.extent == COMPUTED else int(self.loop.extent)


def emit_pipelined(pipeline: Pipeline) -> list[Node]:
    """S rounds of prologue, the steady loop, s rounds of epilogue; s is the largest stage.

    Taken as one slot instead, the totals of 8 of the 257 covered programs would be wrong, and offsets of 34;
    without the workspaces, the totals of 18. Every round reads the bounds in its conditions.
    """
    nodes = [*prologue(pipeline), *steady(pipeline), *epilogue(pipeline)]
    return also_touching(nodes, pipeline.loop.reads)


def prologue(pipeline: Pipeline) -> list[Node]:
    """Round t has the statements of stage t and below; one slot if `start` is computed and s >= 2.

    If it is clamped, that slot has every statement, under a condition that never holds: as compiled for 15
    starts of `tests/oracle/kernels/starts.py`.
    """
    depth, label = pipeline.depth, f"loop {pipeline.loop.name}, prologue"
    if pipeline.loop.start in (COMPUTED, CLAMPED) and depth >= 2:
        greatest = depth if pipeline.loop.start == CLAMPED else depth - 1
        return loop_of(part(pipeline, 0, greatest, None, label), label, RULE.name)
    rounds = (part(pipeline, 0, number, number, f"{label} {number}") for number in range(depth))
    return [node for nodes in rounds for node in nodes]


def steady(pipeline: Pipeline) -> list[Node]:
    """One slot; its bare statements if it has one iteration; absent if it has none."""
    label = f"loop {pipeline.loop.name}, steady"
    nodes = part(pipeline, 0, pipeline.depth, None, label)
    if pipeline.extent is None or pipeline.extent > pipeline.depth + 1:
        return loop_of(nodes, label, RULE.name)
    return nodes if pipeline.extent == pipeline.depth + 1 else []


def epilogue(pipeline: Pipeline) -> list[Node]:
    """Round t has the statements above stage t; one slot if a bound is computed and s >= 2.

    If `start` is clamped, that slot too has every statement.
    """
    depth, extent, label = pipeline.depth, pipeline.extent, f"loop {pipeline.loop.name}, epilogue"
    clamped = pipeline.loop.start == CLAMPED
    if (clamped or COMPUTED in (pipeline.loop.start, pipeline.loop.extent)) and depth >= 2:
        return loop_of(part(pipeline, 0 if clamped else 1, depth, None, label), label, RULE.name)
    rounds = (
        part(pipeline, number + 1, depth, None if extent is None else extent + number, f"{label} {number}")
        for number in range(depth)
    )
    return [node for nodes in rounds for node in nodes]


def part(pipeline: Pipeline, least: int, greatest: int, iteration: int | None, label: str) -> list[Node]:
    """The statements of some stages in planned order, without those whose iteration is out of range.

    `iteration` is that of stage 0; None where no statement is out of range.
    """
    stages = pipeline.planned.stages
    chosen = [
        pipeline.body[index]
        for index in pipeline.planned.in_order()
        if least <= stages[index] <= greatest
        and (iteration is None or _in_range(iteration - stages[index], pipeline.extent))
    ]
    return [node._replace(label=f"{node.label}, {label}", rule=RULE.name) for node in pipeline.emit(chosen)]


def _in_range(iteration: int, extent: int | None) -> bool:
    return iteration >= 0 and (extent is None or iteration < extent)
