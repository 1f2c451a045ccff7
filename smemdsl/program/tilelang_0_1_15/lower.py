"""Lowering a program to the interval model by the rules of TileLang 0.1.15."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from smemdsl.errors import FaultError
from smemdsl.program.checks import check
from smemdsl.program.result import Because, LoopInfo, Lowered, LoweredBuffer, StaticPart
from smemdsl.program.statements import Copy, If, Loop, Program, Statement
from smemdsl.program.tilelang_0_1_15.alignment import alignment, uses_of
from smemdsl.program.tilelang_0_1_15.barriers import barriers
from smemdsl.program.tilelang_0_1_15.emission import emit
from smemdsl.program.tilelang_0_1_15.faults import doubts, overlapping_copies
from smemdsl.program.tilelang_0_1_15.kernel import Kernel, kernel_of
from smemdsl.program.tilelang_0_1_15.liveness import Life, line_of, lives
from smemdsl.program.tilelang_0_1_15.planning import plan, steps_of
from smemdsl.program.tilelang_0_1_15.specialise import can_be_tma, loop_statements, specialise
from smemdsl.program.tilelang_0_1_15.split import Specialised
from smemdsl.program.tilelang_0_1_15.tree import Node
from smemdsl.program.tilelang_0_1_15.versions import (
    ONE,
    Versions,
    combine,
    filled_versions,
    planned_versions,
)
from smemdsl.program.walk import everything

COMPILER = "TileLang 0.1.15"
"""The version whose rules these are."""


def lower(program: Program) -> Lowered:
    """The interval model of a program, as TileLang 0.1.15 would make it.

    Raises FaultError for a program that is wrong or that the rules cannot lower.
    """
    kernel = kernel_of(program)
    warnings = check(program)
    special = specialise(program.body, kernel)
    if faults := tuple(overlapping_copies(planned_loops(program.body, special, kernel))):
        raise FaultError(faults)
    nodes, workspaces = name_workspaces(emit(special.body, kernel), frozenset(kernel.buffers))
    line = line_of(nodes, aggressive=kernel.options.aggressive_merge)
    life = lives(line)
    versions = versions_of(program.body, special, kernel)
    return Lowered(
        buffers=(
            *declared_buffers(program, special, kernel, life, versions),
            *workspace_buffers(workspaces, life, program.align),
        ),
        static=static_parts(program, special, versions),
        loops=tuple(loops_of(program.body, special, kernel)),
        slots=tuple(entry.label for entry in line),
        compiler=COMPILER,
        approximate=doubts(program.body, kernel),
        warnings=warnings,
        align=program.align,
    )


def declared_buffers(
    program: Program,
    special: Specialised,
    kernel: Kernel,
    life: dict[str, Life],
    versions: dict[str, Versions],
) -> Iterator[LoweredBuffer]:
    """The declared buffers that some statement touches, in file order; static ones are outside the arena."""
    uses = uses_of(program.body, tma_copies(special), kernel)
    for buffer in program.buffers:
        if buffer.static or buffer.name not in life:
            continue
        count, why_versions = versions.get(buffer.name, ONE)
        align, why_align = alignment(buffer, uses, kernel, program.align)
        start, end, why_live = life[buffer.name]
        yield LoweredBuffer(
            buffer.name, count, count * buffer.bytes, align, start, end, why_versions, why_live, why_align
        )


def workspace_buffers(
    workspaces: Sequence[tuple[str, Node]], life: dict[str, Life], align: int
) -> Iterator[LoweredBuffer]:
    """R5: the workspaces, one for every emission of a reduction across warps."""
    for name, node in workspaces:
        start, end, why_live = life[name]
        yield LoweredBuffer(
            name,
            1,
            node.workspace,
            align,
            start,
            end,
            Because("R5", "a workspace has one version"),
            why_live,
            Because("A5", "the default"),
            Because("R5", f"{node.label}: one element for each thread"),
        )


def name_workspaces(
    nodes: Sequence[Node], taken: frozenset[str]
) -> tuple[list[Node], list[tuple[str, Node]]]:
    """R5: names for the workspaces, in order of emission, and the tree that touches them."""
    names = (
        name
        for number in range(1, 1 << 62)
        if (name := "workspace" if number == 1 else f"workspace__{number}") not in taken
    )
    found: list[tuple[str, Node]] = []

    def named(node: Node) -> Node:
        if node.workspace:
            found.append((next(names), node))
            return node._replace(touched=(*node.touched, found[-1][0]))
        return node._replace(body=tuple(map(named, node.body))) if node.body else node

    return [named(node) for node in nodes], found


def tma_copies(special: Specialised) -> tuple[Copy, ...]:
    """W3, W5: the copies that are TMA in the compiled kernel: in the split loop, and before it."""
    if special.split is None:
        return ()
    inside = (each for each in loop_statements(special.split) if isinstance(each, Copy) and can_be_tma(each))
    return (*inside, *special.preloaded)


def versions_of(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> dict[str, Versions]:
    """R6 over all loops.

    In a warp-specialised kernel first for every loop with num_stages, then for those that are
    software-pipelined.
    """
    planned = [
        planned_versions(loop, plan(steps_of(loop)[1], loop.num_stages, loop.where))
        for loop in planned_loops(body, special, kernel)
    ]
    if special.split is None:
        return combine(planned)
    filled = [filled_versions(each) for each in everything(body) if isinstance(each, Loop)]
    return combine([*filled, *planned])


def planned_loops(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> list[Loop]:
    """The loops that planning sees: those with num_stages, but the one that was split."""
    if special.dropped or not kernel.target.pipelines:
        return []
    loops = (each for each in everything(body) if isinstance(each, Loop) and each.num_stages >= 1)
    return [loop for loop in loops if loop is not special.split]


def static_parts(
    program: Program, special: Specialised, versions: dict[str, Versions]
) -> tuple[StaticPart, ...]:
    """Static shared memory: static buffers, and the barriers of warp specialisation (W7)."""
    parts = [
        StaticPart(
            buffer.name,
            buffer.bytes * versions.get(buffer.name, ONE).number,
            Because("file", "a static shared array"),
        )
        for buffer in program.buffers
        if buffer.static
    ]
    if special.split is not None:
        parts.append(barriers(special.split, special.preloaded))
    return tuple(parts)


def loops_of(body: Iterable[Statement], special: Specialised, kernel: Kernel) -> Iterator[LoopInfo]:
    """What became of each loop, in source order."""
    for statement in body:
        if isinstance(statement, Loop):
            yield loop_info(statement, special, kernel)
            yield from loops_of(statement.body, special, kernel)
        elif isinstance(statement, If):
            yield from loops_of(chain(statement.then, statement.orelse or ()), special, kernel)


def loop_info(loop: Loop, special: Specialised, kernel: Kernel) -> LoopInfo:
    """What became of one loop."""
    if loop is special.split:
        return LoopInfo(loop.name, pipelined=True, warp_specialized=True)
    if loop.num_stages < 1 or special.dropped or not kernel.target.pipelines:
        return LoopInfo(loop.name, pipelined=False)
    planned = plan(steps_of(loop)[1], loop.num_stages, loop.where)
    return LoopInfo(loop.name, planned.pipelined, planned.stages, planned.order)
