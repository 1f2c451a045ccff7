"""Scratch of the conversion of a gemm's result to the layout of its store.

A dot leaves its result spread over the block as its instruction has it; a store by pointers moves 16 B a
thread along rows, or columns with `trans`. Between them the result, cast first, goes through shared memory,
as many repetitions one after another as need not be there at once. Nothing is needed where a warp converts
by shuffles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdsl.compilers.triton.rules import alignment, liveness, versions
from smemdsl.compilers.triton.rules.dot_layouts import in_one_line, result, stored, wgmma_warps
from smemdsl.compilers.triton.rules.kernel import WARP, Dot, Kernel
from smemdsl.compilers.triton.rules.linear_layout import Pair
from smemdsl.compilers.triton.rules.mma_barriers import numbered
from smemdsl.compilers.triton.rules.positions import Place
from smemdsl.compilers.triton.rules.swizzling import scratch
from smemdsl.compilers.triton.rules.target import LEAST_M, MMA, WARP_GROUP, WGMMA, is_int8
from smemdsl.core.buffers import Bytes
from smemdsl.program.lowered import LoweredBuffer
from smemdsl.program.rule import Rule
from smemdsl.program.statements import Reduce, Store, StoreResult

RULE = Rule(
    "allocate-shared-memory/convert-layout",
    compiler="Triton",
    passes="allocate-shared-memory",
    source="lib/Tools/GenericSwizzling.cpp",
    since="3.9.0",
    evidence="every configuration of tests/data/triton_results.jsonl, for sm_75 to sm_121",
)
SCRATCH_ALIGN = 128
WIDEST = 32
"""Bits of an element that is stored; a wider cast comes after the conversion."""


class Stored(NamedTuple):
    """A store of a result, and the dot that left it."""

    place: Place
    store: StoreResult
    dot: Dot


def conversion_buffers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """The scratch of every store of a result whose layouts are known."""
    names = numbered("conversion", kernel)
    for each in stores(kernel):
        shape = shape_of(each.dot)
        if shape is None or unknown(each.dot, kernel) or each.store.dtype_bits > WIDEST:
            continue
        if size := conversion(each, shape, kernel):
            yield LoweredBuffer(
                next(names),
                1,
                size,
                SCRATCH_ALIGN,
                each.place.start,
                each.place.end,
                versions.RULE.because("no pipelined loop fills it"),
                liveness.RULE.because("at its store"),
                alignment.RULE.because("scratch"),
                RULE.because(f"from {each.dot.kind}'s layout to the store's, {each.store.dtype_bits} bits"),
            )


def stores(kernel: Kernel) -> Iterator[Stored]:
    """Every store of a result with the last dot before it."""
    for place in kernel.places:
        if isinstance(place.statement, StoreResult):
            before = [dot for dot in kernel.dots if dot.place.end <= place.start]
            yield Stored(place, place.statement, before[-1])


def conversion(each: Stored, shape: Pair, kernel: Kernel) -> Bytes:
    """Bytes of one conversion."""
    warps, bits, dot = kernel.threads // WARP, each.store.dtype_bits, each.dot
    int8 = any(is_int8(kernel.buffers[name]) for name in dot.gemm.operands)
    together = len(beside(dot, kernel)) > 1 or dot.gemm.input_precision == "tf32x3"
    source = result(shape, dot.kind, warps, int8=int8, together=together)
    target = stored(shape, bits, warps, trans=each.store.trans)
    return scratch(source, target, bits, shape[0] * shape[1], kernel.target.sm)


def shape_of(dot: Dot) -> Pair | None:
    """Rows and columns of a result; None where the program does not say."""
    return None if dot.gemm.m is None or dot.gemm.n is None else (dot.gemm.m, dot.gemm.n)


def beside(dot: Dot, kernel: Kernel) -> list[Dot]:
    """The dots in the same loop, this one with them."""
    return [each for each in kernel.dots if each.place.loops == dot.place.loops]


def unknown_scratch(kernel: Kernel) -> Iterator[str]:
    """Why the scratch of a program is not known as a whole."""
    if not kernel.dots or any(isinstance(place.statement, Reduce) for place in kernel.places):
        yield "the scratch of layout conversions and reductions is not in the program"
    for dot in kernel.dots:
        if reason := unknown(dot, kernel):
            yield reason
    last = [dot for dot in kernel.dots if beside(dot, kernel)[-1] is dot]
    if any(not is_stored(dot, kernel) for dot in last):
        yield "how a gemm's result is stored is not in the program (as `store: {dtype: float16}`)"
    if any(each.store.dtype_bits > WIDEST for each in stores(kernel)):
        yield f"the scratch of a store of more than {WIDEST} bits an element is not known"


def is_stored(dot: Dot, kernel: Kernel) -> bool:
    """Whether a store by pointers or by a descriptor stands after a dot."""
    after = [place.statement for place in kernel.places if place.start >= dot.place.end]
    return any(
        isinstance(each, StoreResult) or (isinstance(each, Store) and each.tma and kernel.target.has_tma)
        for each in after
    )


def unknown(dot: Dot, kernel: Kernel) -> str:
    """Why the layout of a dot, or what Triton adds around it, is not known; empty where it is."""
    shape, warps = shape_of(dot), kernel.threads // WARP
    if shape is None:
        return "a gemm's `m` and `n` are not in the program"
    if any(number & (number - 1) for number in (*shape, warps)):
        return "tiles and warps that are no powers of two have no layout in Triton"
    with_parts = kernel.target.has_tma and shape[0] >= LEAST_M and warps % WARP_GROUP == 0
    if dot.gemm.input_precision == "tf32x3" and with_parts and kernel.target.instruction != MMA:
        return f"{kernel.target.instruction} keeps parts of its operands in shared memory for tf32x3"
    together = beside(dot, kernel)
    if len(together) == 1:
        return ""
    chained = len(together) == 2 and None in (together[1].gemm.a, together[1].gemm.b)
    if not chained or together[0].kind != together[1].kind or dot.kind not in (MMA, WGMMA):
        return "the scratch between several gemms in one loop is not known"
    final = shape_of(together[1])
    along_rows = final is not None and (
        wgmma_warps(final, warps) if dot.kind == WGMMA else in_one_line(final, warps)
    ) == (warps, 1)
    return "" if along_rows else "the scratch of reductions across warps is not in the program"
