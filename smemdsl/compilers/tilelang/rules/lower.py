"""Lowering a program to the interval model by the rules of TileLang 0.1.15."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.compilers.tilelang.rules.alignment import alignment, has_layout
from smemdsl.compilers.tilelang.rules.barriers import barriers
from smemdsl.compilers.tilelang.rules.conditions import name_conditions
from smemdsl.compilers.tilelang.rules.emit import emit
from smemdsl.compilers.tilelang.rules.kernel import Kernel, kernel_of
from smemdsl.compilers.tilelang.rules.launch import producer_threads
from smemdsl.compilers.tilelang.rules.liveness import Entry, Life, line_of, lives
from smemdsl.compilers.tilelang.rules.loops import loops_of, planned_loops
from smemdsl.compilers.tilelang.rules.lower_reduce import name_workspaces, workspace_buffers
from smemdsl.compilers.tilelang.rules.multi_version_buffer import ONE, Versions
from smemdsl.compilers.tilelang.rules.producer_consumer_split import Specialised
from smemdsl.compilers.tilelang.rules.refusals import doubts, overlapping_copies
from smemdsl.compilers.tilelang.rules.tma_uses import Uses, uses_of
from smemdsl.compilers.tilelang.rules.unify_versions import settle
from smemdsl.compilers.tilelang.rules.warp_specialize import can_be_tma, loop_statements, specialise
from smemdsl.core.errors import FaultError
from smemdsl.program.checks import check
from smemdsl.program.lowered import LoweredBuffer, LoweredProgram, Provenance, StaticPart
from smemdsl.program.statements import Copy, Program

COMPILER = "TileLang 0.1.15"
"""The version whose rules these are."""


def lower(program: Program) -> LoweredProgram:
    """The interval model of a program, as TileLang 0.1.15 would make it.

    Raises FaultError for a program that is wrong or that the rules cannot lower.
    """
    warnings = check(program)
    program = program._replace(body=name_conditions(program.body))
    kernel = kernel_of(program)
    special = specialise(program.body, kernel)
    if faults := tuple(overlapping_copies(planned_loops(program.body, special, kernel))):
        raise FaultError(faults)
    uses = uses_of(program.body, tma_copies(special), kernel, special.split)
    kernel = kernel._replace(merges=uses.any_tma)
    settled = settle(program.body, special, kernel, lambda name: is_fixed(name, uses, kernel))
    nodes, workspaces = name_workspaces(emit(special.body, kernel), frozenset(kernel.buffers))
    line = line_of(nodes, aggressive=kernel.options.aggressive_merge)
    life = lives(line, frozenset(buffer.name for buffer in program.buffers if buffer.static))
    return LoweredProgram(
        buffers=(
            *declared_buffers(program, uses, kernel, life, settled.versions),
            *workspace_buffers(workspaces, life, line, program.align),
        ),
        static=static_parts(program, special, settled.versions, line),
        loops=tuple(loops_of(program.body, special, kernel)),
        slots=tuple(entry.label for entry in line),
        compiler=COMPILER,
        uncertain=doubts(program.body, special, kernel),
        warnings=warnings + settled.warnings,
        align=program.align,
        producer_threads=producer_threads(special.split, kernel),
    )


def declared_buffers(
    program: Program,
    uses: Uses,
    kernel: Kernel,
    life: dict[str, Life],
    versions: dict[str, Versions],
) -> Iterator[LoweredBuffer]:
    """The declared buffers that some statement touches, in file order; static ones are outside the arena."""
    for buffer in program.buffers:
        if buffer.name not in life:
            continue
        number, why_versions = versions.get(buffer.name, ONE)
        align, why_align = alignment(buffer, uses, kernel, program.align)
        start, end, why_live = life[buffer.name]
        size = number * buffer.bytes
        yield LoweredBuffer(buffer.name, number, size, align, start, end, why_versions, why_live, why_align)


def tma_copies(special: Specialised) -> tuple[Copy, ...]:
    """The copies that are TMA in the compiled kernel: in the split loop, and before it."""
    if special.split is None:
        return ()
    inside = (each for each in loop_statements(special.split) if isinstance(each, Copy) and can_be_tma(each))
    return (*inside, *special.preloaded)


def is_fixed(name: str, uses: Uses, kernel: Kernel) -> bool:
    """Whether it has a layout: a gemm operand, annotated, or moved by TMA in more than one dimension."""
    buffer = kernel.buffers[name]
    moved = {copy.to for copy in uses.fills} | {each.source for each in uses.drains}
    return has_layout(buffer, kernel) or (name in moved and len(buffer.shape) > 1)


def static_parts(
    program: Program, special: Specialised, versions: dict[str, Versions], line: Sequence[Entry]
) -> tuple[StaticPart, ...]:
    """Static shared memory: static buffers that are touched, and the barriers of warp specialisation."""
    why = Provenance("file", "a static shared array")
    touched = {name for entry in line for name in entry.touched}
    parts = [
        StaticPart(buffer.name, buffer.bytes * versions.get(buffer.name, ONE).number, why)
        for buffer in program.buffers
        if buffer.static and buffer.name in touched
    ]
    if special.split is not None:
        parts.append(barriers(special.split, special.preloaded))
    return tuple(parts)
