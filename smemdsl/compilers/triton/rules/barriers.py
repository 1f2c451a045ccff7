"""Barriers in the arena: of products with tcgen05 (T4), and of copies by tensor descriptors (T6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.operands import operand_buffer
from smemdsl.compilers.triton.rules.positions import Place
from smemdsl.compilers.triton.rules.rules import BARRIER_BYTES, LEAST_ALIGN, Operand, barriers
from smemdsl.compilers.triton.rules.target import MMA
from smemdsl.program.lowered import Because, LoweredBuffer
from smemdsl.program.statements import Copy
from smemdsl.program.walk import reads


def product_barriers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """T4: the barriers of every product with tcgen05, as long as its loop; without stages, at its product."""
    names = numbered("mma_barriers", kernel)
    why = Because("T4", "a product with tcgen05 is waited for by barriers")
    for product in kernel.products:
        place = product.place
        number = barriers(place.num_stages, product.kind)
        if number:
            pipelined = place.loop is not None and place.num_stages > 1
            span = (
                (place.loop.start, place.loop.end) if place.loop and pipelined else (place.start, place.end)
            )
            yield _barriers(next(names), number, span, why)


def copy_barriers(kernel: Kernel) -> Iterator[LoweredBuffer]:
    """T6: 8 B for each version of the buffers of each group of copies by descriptors.

    Without stages each copy is a group, and its barrier lives as long as the copy.
    """
    names = numbered("copy_barriers", kernel)
    for group in groups(kernel):
        place = group[0]
        operand = _operand(place, kernel)
        span = (operand and place.pipelined) or (place.start, place.end)
        versions = operand_buffer(operand, place, kernel).versions if operand else 1
        copied = " and ".join(name for each in group for name in _to(each))
        yield _barriers(next(names), versions, span, Because("T6", f"the copy of {copied} by a descriptor"))


def groups(kernel: Kernel) -> Iterator[list[Place]]:
    """T6: copies that one barrier stands for.

    In a pipelined loop, neighbours with as many versions, unless a statement between them reads what the
    first filled. `mma` reads a left operand before the next copy where it is transposed or cast.
    """
    group: list[Place] = []
    for place in kernel.places:
        if not kernel.by_tma(place):
            if any(name in reads(place.statement) for each in group for name in _to(each)):
                yield group
                group = []
            continue
        if group and not _together(group[-1], place, kernel):
            yield group
            group = []
        group = [*group, place]
    if group:
        yield group


def _together(before: Place, place: Place, kernel: Kernel) -> bool:
    first, second = _operand(before, kernel), _operand(place, kernel)
    if first is None or second is None or before.loops != place.loops or place.num_stages < 2:
        return False
    if first.kind == MMA and (first.is_left_turned or first.cast):
        return False
    return operand_buffer(first, before, kernel).versions == operand_buffer(second, place, kernel).versions


def _operand(place: Place, kernel: Kernel) -> Operand | None:
    return next((kernel.operand(name) for name in _to(place) if kernel.is_beside(name)), None)


def _to(place: Place) -> tuple[str, ...]:
    return (place.statement.to,) if isinstance(place.statement, Copy) else ()


def numbered(base: str, kernel: Kernel) -> Iterator[str]:
    """Names for derived buffers, apart from those that the file declares."""
    names = (base if number == 1 else f"{base}__{number}" for number in count(1))
    return (name for name in names if name not in kernel.buffers)


def _barriers(name: str, number: int, span: tuple[int, int], why: Because) -> LoweredBuffer:
    return LoweredBuffer(
        name,
        number,
        number * BARRIER_BYTES,
        LEAST_ALIGN,
        *span,
        Because(why.rule, f"{number} of {BARRIER_BYTES} B"),
        Because("T0", "as long as its loop" if span[1] - span[0] > 2 else "as long as what it waits for"),
        Because("T3", "the default"),
        why,
    )
