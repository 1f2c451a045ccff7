"""Lowering a program to the interval model by the rules of Triton 3.9.

Covers what the rules were measured on: dots whose operands are copied from global memory by pointers or
by tensor descriptors, and whose results are stored by pointers. Other scratch, of reductions and of
conversions in between, is declared by the scenario, where it is touched.
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.compilers.triton.rules import alignment, liveness, versions
from smemdsl.compilers.triton.rules.alignment import LEAST_ALIGN, swizzle
from smemdsl.compilers.triton.rules.convert_layout import conversion_buffers
from smemdsl.compilers.triton.rules.doubts import doubts, filled
from smemdsl.compilers.triton.rules.kernel import Kernel, kernel_of
from smemdsl.compilers.triton.rules.mma_barriers import dot_barriers
from smemdsl.compilers.triton.rules.operands import operand_buffer, small_buffers, transposed_buffers
from smemdsl.compilers.triton.rules.positions import hull, labels, touching
from smemdsl.compilers.triton.rules.refusals import copies_after_use, results_before_dots
from smemdsl.compilers.triton.rules.target import read_target
from smemdsl.compilers.triton.rules.tma_barriers import copy_barriers
from smemdsl.core.errors import Fault, FaultError
from smemdsl.program.checks import check
from smemdsl.program.lowered import LoopInfo, LoweredBuffer, LoweredProgram, Provenance, StaticPart
from smemdsl.program.statements import Copy, Declared, Loop, Program, Statement, Store
from smemdsl.program.walk import everything, touches

COMPILER = "Triton 3.9"
"""The version whose rules these are."""


def lower(program: Program) -> LoweredProgram:
    """The interval model of a program, as Triton 3.9 would make it.

    Raises FaultError for a program that is wrong or that the rules cannot lower.
    """
    warnings = check(program)
    target = read_target(program.target, program.target_where)
    if program.threads is None:
        message = "the number of warps decides the matrix instruction: the scenario needs `threads`"
        raise FaultError([Fault(program.where, "no-threads", message)])
    kernel = kernel_of(program, target, program.threads)
    if faults := (*copies_after_use(kernel), *results_before_dots(kernel)):
        raise FaultError(faults)
    touched = {name for place in kernel.places for name in touches(place.statement)}
    declared = [buffer for buffer in program.buffers if buffer.name in touched]
    return LoweredProgram(
        buffers=(
            *(_buffer(each, kernel, program.align) for each in declared if not each.static),
            *dot_barriers(kernel),
            *copy_barriers(kernel),
            *transposed_buffers(kernel),
            *small_buffers(kernel),
            *conversion_buffers(kernel),
        ),
        static=tuple(_static(each) for each in declared if each.static),
        loops=tuple(_loops(program.body)),
        slots=tuple(labels(kernel.places)),
        compiler=COMPILER,
        uncertain=tuple(dict.fromkeys(doubts(program.body, kernel))),
        warnings=warnings,
        align=program.align,
    )


def _buffer(declared: Declared, kernel: Kernel, least: int) -> LoweredBuffer:
    """A declared buffer that some statement touches."""
    operand, fill = kernel.operand(declared.name), kernel.fill(declared.name)
    if operand is not None and fill is not None:
        found = operand_buffer(operand, fill, kernel)
    else:
        found = _plain(declared, kernel)
    if declared.align is not None:
        return found._replace(align=declared.align, why_align=Provenance("file", "the file says so"))
    return found._replace(align=max(found.align, least))


def _plain(declared: Declared, kernel: Kernel) -> LoweredBuffer:
    """Scratch, a tile to be stored, or an operand that nothing copies from global memory."""
    start, end = hull(touched := touching(declared.name, kernel.places))
    align, why = LEAST_ALIGN, alignment.RULE.because("the default")
    row = declared.shape[-1] * declared.dtype_bits // 8
    if kernel.target.has_tma and any(
        isinstance(e.statement, Copy | Store) and e.statement.tma for e in touched
    ):
        align, why = swizzle(row), alignment.RULE.because(f"moved by a descriptor with rows of {row} B")
    return LoweredBuffer(
        declared.name,
        1,
        declared.bytes,
        align,
        start,
        end,
        versions.RULE.because("no pipelined loop fills it"),
        liveness.RULE.because(f"slots {start} to {end - 1} touch it"),
        why,
    )


def _static(declared: Declared) -> StaticPart:
    return StaticPart(declared.name, declared.bytes, Provenance("file", "a static shared array"))


def _loops(body: tuple[Statement, ...]) -> Iterator[LoopInfo]:
    for loop in (each for each in everything(body) if isinstance(each, Loop)):
        yield LoopInfo(loop.name, pipelined=loop.num_stages > 1 and bool(filled(loop)))
