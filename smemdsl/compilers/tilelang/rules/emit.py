"""From statements to the emitted kernel: loops and conditions around the leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemdsl.compilers.tilelang.rules.barriers import barrier_groups
from smemdsl.compilers.tilelang.rules.emitted_ir import Node, also_touching, condition, loop_of
from smemdsl.compilers.tilelang.rules.inject_pipeline import Pipeline, emit_pipelined
from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.linearize import emit_leaf
from smemdsl.compilers.tilelang.rules.liveness import RULE as LIVENESS
from smemdsl.compilers.tilelang.rules.merge_if_statements import RULE as CONDITIONS
from smemdsl.compilers.tilelang.rules.merge_if_statements import merge_neighbours
from smemdsl.compilers.tilelang.rules.pipeline_planning import plan, split_conditions, steps_of
from smemdsl.compilers.tilelang.rules.producer_consumer_split import (
    Around,
    Branch,
    Emitted,
    Guarded,
    Split,
    without_stages,
)
from smemdsl.compilers.tilelang.rules.warp_specialize import RULE as SPLIT
from smemdsl.program.statements import If, Loop, Statement


def emit(statements: Iterable[Emitted], kernel: Kernel) -> list[Node]:
    """The nodes of statements that stand beside each other; neighbours under one condition are merged."""
    nodes = [node for statement in statements for node in emit_one(statement, kernel)]
    return merge_neighbours(nodes) if kernel.merges else nodes


def emit_one(statement: Emitted, kernel: Kernel) -> list[Node]:
    """Each statement is one slot, and so is a loop or an `if` with all it contains."""
    match statement:
        case Loop():
            nodes = emit_loop(statement, kernel)
        case If():
            nodes = emit_if(statement, kernel)
        case Split():
            nodes = emit_split(statement, kernel)
        case Around():
            nodes = loop_of(emit(statement.body, kernel), f"loop {statement.loop.name}", LIVENESS.name)
            nodes = also_touching(nodes, statement.loop.reads)
        case Branch():
            inner = emit(statement.then, kernel) + emit(statement.orelse or (), kernel)
            nodes = condition(inner, "if", CONDITIONS.name)
        case Guarded():
            nodes = condition(emit(statement.body, kernel), "what follows, in the consumer", SPLIT.name)
        case _:
            nodes = emit_leaf(statement, kernel)
    return nodes


def emit_if(statement: If, kernel: Kernel) -> list[Node]:
    """With else one slot; without, one for each statement inside, which may be merged again."""
    if statement.orelse is not None:
        both = emit(statement.then, kernel) + emit(statement.orelse, kernel)
        return condition(both, "if", CONDITIONS.name)
    key = ("if", statement.condition) if statement.condition else ()
    parts = (emit_one(each, kernel) for each in split_conditions(statement.then))
    return [
        node._replace(merge=key)
        for nodes in parts
        for node in condition(nodes, f"if: {nodes[0].label if nodes else ''}", CONDITIONS.name)
    ]


def emit_loop(loop: Loop, kernel: Kernel) -> list[Node]:
    """A loop: pipelined, or plain; a plain loop of one iteration vanishes.

    Planning does not look into a loop that it plans: those inside are plain.
    """
    if loop.num_stages < 1 or not kernel.target.pipelines:
        return plain_loop(loop, loop.body, kernel)
    loop = loop._replace(body=tuple(map(without_stages, loop.body)))
    body, steps = steps_of(loop)
    planned = plan(steps, loop.num_stages, loop.where)
    if not planned.pipelined:
        return plain_loop(loop, body, kernel)
    return emit_pipelined(Pipeline(loop, body, planned, lambda chosen: emit(chosen, kernel)))


def plain_loop(loop: Loop, body: Sequence[Statement], kernel: Kernel) -> list[Node]:
    """A plain loop is one node; one of one iteration is its bare statements."""
    nodes = emit(body, kernel)
    if loop.extent != 1:
        nodes = loop_of(nodes, f"loop {loop.name}", LIVENESS.name)
    return also_touching(nodes, loop.reads)


def emit_split(split: Split, kernel: Kernel) -> list[Node]:
    """Producer loop, what moved between, consumer loop, both nests whatever they hold.

    At one iteration the loops vanish, and each statement is a slot of its own.
    """
    between = [node._replace(rule=SPLIT.name) for node in emit(split.between, kernel)]
    producer = [node for each in split.producer for node in emit_one(each, kernel)]
    if barrier_groups(split.loop) == 1:
        producer = merge_neighbours(producer)
    consumer = emit(split.consumer, kernel)
    return [*half_loop(split, producer, "producer"), *between, *half_loop(split, consumer, "consumer")]


def half_loop(split: Split, nodes: Sequence[Node], half: str) -> list[Node]:
    """One half of a split loop; where copies have barriers of their own, these keep them apart."""
    label = f"loop {split.loop.name}, {half}"
    if split.loop.extent == 1:
        nodes = [node._replace(label=f"{node.label}, {label}", rule=SPLIT.name, merge=()) for node in nodes]
        return also_touching(nodes, split.loop.reads)
    return [
        Node(label, "loop", touched=split.loop.reads, body=tuple(nodes), nest=True, rule=SPLIT.name),
    ]
