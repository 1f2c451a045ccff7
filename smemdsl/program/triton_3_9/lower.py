"""Lowering a program to the interval model by the rules of Triton 3.9.

Covers what the rules were measured on: loops with products whose operands are copied from global memory by
pointers. Scratch (of layout conversions and reductions) is declared by the scenario, where it is touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from smemdsl.errors import Fault, FaultError
from smemdsl.program.checks import check
from smemdsl.program.result import Because, LoopInfo, Lowered, LoweredBuffer, StaticPart
from smemdsl.program.statements import Copy, Declared, Gemm, Load, Loop, Program, Statement
from smemdsl.program.triton_3_9.rules import (
    BARRIER_BYTES,
    LEAST_ALIGN,
    alignment,
    barriers,
    is_converted,
    versions,
)
from smemdsl.program.triton_3_9.target import MMA, Target, instruction, read_target
from smemdsl.program.walk import everything, touches

COMPILER = "Triton 3.9"
"""The version whose rules these are."""
WARP = 32
ONE = (1, Because("T1", "no pipelined loop fills it"))


class Product(NamedTuple):
    """A gemm, and where it stands."""

    gemm: Gemm
    kind: str
    """Its matrix instruction."""
    slot: int
    num_stages: int
    """Of the loop around it; 0 outside of any."""
    filled: frozenset[str]
    """What that loop copies from global memory."""


def lower(program: Program) -> Lowered:
    """The interval model of a program, as Triton 3.9 would make it.

    Raises FaultError for a program that is wrong or that the rules cannot lower.
    """
    warnings = check(program)
    target = read_target(program.target, program.target_where)
    if program.threads is None:
        message = "the number of warps decides the matrix instruction: the scenario needs `threads`"
        raise FaultError([Fault(program.where, "no-threads", message)])
    products = tuple(_products(program, target, program.threads // WARP))
    lives = _lives(program.body)
    declared = (_buffer(each, lives, products, program.align) for each in program.buffers if not each.static)
    return Lowered(
        buffers=(*filter(None, declared), *_barriers(products)),
        static=tuple(_static(each) for each in program.buffers if each.static and each.name in lives),
        loops=tuple(_loops(program.body)),
        slots=tuple(_label(each) for each in program.body),
        compiler=COMPILER,
        approximate=tuple(dict.fromkeys(_doubts(program, target, products))),
        warnings=warnings,
        align=program.align,
    )


def _products(program: Program, target: Target, warps: int) -> Iterator[Product]:
    """Every gemm, in source order."""
    for slot, statement in enumerate(program.body):
        for gemm, loop in _gemms(statement, None):
            filled = frozenset(_filled(loop.body) if loop else ())
            stages = loop.num_stages if loop else 0
            yield Product(gemm, instruction(target, gemm.m, warps), slot, stages, filled)


def _gemms(statement: Statement, loop: Loop | None) -> Iterator[tuple[Gemm, Loop | None]]:
    if isinstance(statement, Gemm):
        yield statement, loop
    elif isinstance(statement, Loop):
        for inner in statement.body:
            yield from _gemms(inner, statement)
    else:
        yield from ((each, loop) for each in everything([statement]) if isinstance(each, Gemm))


def _filled(body: tuple[Statement, ...]) -> Iterator[str]:
    for statement in everything(body):
        if isinstance(statement, Copy):
            yield statement.to
        elif isinstance(statement, Load):
            yield from statement.to


def _lives(body: tuple[Statement, ...]) -> dict[str, tuple[int, int]]:
    """First and last slot, half-open: a statement at the top is a slot, a loop with all it holds is one."""
    lives: dict[str, tuple[int, int]] = {}
    for slot, statement in enumerate(body):
        for name in (name for each in everything([statement]) for name in touches(each)):
            lives[name] = (lives.get(name, (slot, slot))[0], slot + 1)
    return lives


def _buffer(
    declared: Declared, lives: Mapping[str, tuple[int, int]], products: tuple[Product, ...], least: int
) -> LoweredBuffer | None:
    """A declared buffer; None where no statement touches it."""
    if declared.name not in lives:
        return None
    start, end = lives[declared.name]
    using = [p for p in products if declared.name in (p.gemm.a, p.gemm.b)]
    count, why_versions = _versions(declared, using)
    kind = next((p.kind for p in using if p.kind != MMA), MMA)
    align, why_align = alignment(declared, kind)
    if declared.align is not None:
        align, why_align = declared.align, Because("file", "the file says so")
    why_live = Because("T0", f"slots {start} to {end - 1} touch it; a loop is one slot")
    align = align if declared.align is not None else max(align, least)
    return LoweredBuffer(
        declared.name, count, count * declared.bytes, align, start, end, why_versions, why_live, why_align
    )


def _versions(declared: Declared, using: list[Product]) -> tuple[int, Because]:
    filling = [p for p in using if declared.name in p.filled]
    if any(is_converted(declared.name, p.gemm, p.kind, declared.dtype_bits) for p in filling):
        return 1, Because("T2", "8-bit operands of wgmma are transposed through shared memory")
    return max((versions(p.num_stages, p.kind) for p in filling), key=lambda found: found[0], default=ONE)


def _barriers(products: tuple[Product, ...]) -> Iterator[LoweredBuffer]:
    """T4: the barriers of every product with tcgen05."""
    for number, product in enumerate((p for p in products if barriers(p.num_stages, p.kind)), start=1):
        count = barriers(product.num_stages, product.kind)
        yield LoweredBuffer(
            "mma_barriers" if number == 1 else f"mma_barriers__{number}",
            count,
            count * BARRIER_BYTES,
            LEAST_ALIGN,
            product.slot,
            product.slot + 1,
            Because("T4", f"{count} of {BARRIER_BYTES} B"),
            Because("T0", "as long as its loop"),
            Because("T3", "the default"),
            Because("T4", "a product with tcgen05 is waited for by barriers"),
        )


def _static(declared: Declared) -> StaticPart:
    return StaticPart(declared.name, declared.bytes, Because("file", "a static shared array"))


def _loops(body: tuple[Statement, ...]) -> Iterator[LoopInfo]:
    for loop in (each for each in everything(body) if isinstance(each, Loop)):
        yield LoopInfo(loop.name, pipelined=loop.num_stages > 1 and any(True for _ in _filled(loop.body)))


def _label(statement: Statement) -> str:
    name = statement.name if isinstance(statement, Loop) else ""
    return " ".join(filter(None, [type(statement).__name__.lower(), name]))


def _doubts(program: Program, target: Target, products: tuple[Product, ...]) -> Iterator[str]:
    """Where the rules were not measured."""
    yield from target.approximate
    read = {name for product in products for name in (product.gemm.a, product.gemm.b)}
    for loop in (each for each in everything(program.body) if isinstance(each, Loop) and each.num_stages > 1):
        if not set(_filled(loop.body)) <= read:
            yield "a pipelined copy that no gemm reads: Triton may keep it in registers"
        if any(isinstance(each, Loop) for each in everything(loop.body)):
            yield "a loop inside a pipelined loop was not measured"
    if any(product.kind == "tcgen05" for product in products) and len(products) > 1:
        yield "several products with tcgen05 were not measured"
