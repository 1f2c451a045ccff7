"""What a tile copy between global and shared memory can be: TMA, and a one-dimensional bulk copy.

The conditions are those of `src/cuda/op/copy_analysis.cc`, TileLang 0.1.15.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import Region

_TMA_BYTES = 16
_MAX_STRIDE = 1 << 40


def can_be_tma(outside: Region, inside: Region, annotations: Mapping[str, Any]) -> bool:
    """One dtype, a row and the strides in multiples of 16 B, and nothing that forbids it."""
    if _set(annotations, "disable_tma") or _set(annotations, "is_async_copy", "force_cp_async"):
        return False
    if str(annotations.get("prefer_instruction", "tma")).strip('"') in ("cp_async", "sync"):
        return False
    if str(outside.buffer.dtype) != str(inside.buffer.dtype):
        return False
    row = ir.constant(outside.extents[-1])
    if row is not None and row * _bits(outside.buffer) % (8 * _TMA_BYTES):
        return False
    return _strides_allow(outside.buffer)


def _set(annotations: Mapping[str, Any], *names: str) -> bool:
    return any(ir.constant(annotations[name]) for name in names if name in annotations)


def _bits(buffer: Any) -> int:
    return ir.bits(str(buffer.dtype))


def _strides_allow(buffer: Any) -> bool:
    strides = [ir.constant(stride) for stride in strides_of(buffer)]
    if strides and strides[-1] not in (1, None):
        return False
    sizes = [stride * _bits(buffer) // 8 for stride in strides[:-1] if stride is not None]
    return all(size % _TMA_BYTES == 0 and size < _MAX_STRIDE for size in sizes)


def strides_of(buffer: Any) -> list[Any]:
    """Elements from one index to the next, for each axis."""
    if len(buffer.strides):
        return list(buffer.strides)
    strides: list[Any] = [1]
    for extent in reversed(list(buffer.shape)[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


def is_bulk(outside: Region, inside: Region, analyzer: Any) -> bool:
    """Contiguous in global memory, as many elements on both sides, 16 B at a time, and provably in bounds."""
    moved = [ir.constant(extent) for extent in inside.extents]
    given = [ir.constant(extent) for extent in outside.extents]
    if None in moved or None in given:
        return False
    elements = prod(extent or 0 for extent in moved)
    if elements != prod(extent or 0 for extent in given) or elements * _bits(inside.buffer) % (
        8 * _TMA_BYTES
    ):
        return False
    return _contiguous(outside, analyzer) and _in_bounds(outside, analyzer) and _in_bounds(inside, analyzer)


def _contiguous(part: Region, analyzer: Any) -> bool:
    """Whole axes up to one that is cut, then single elements; packed as the strides say."""
    strides = strides_of(part.buffer)
    expected: Any = 1
    cut = False
    for low, extent, size, stride in reversed(
        list(zip(part.mins, part.extents, part.buffer.shape, strides, strict=True))
    ):
        single = ir.constant(extent) == 1
        if cut and not single:
            return False
        if not cut:
            if not single and not analyzer.can_prove_equal(stride, expected):
                return False
            cut = not (analyzer.can_prove_equal(extent, size) and analyzer.can_prove_equal(low, 0))
            expected = expected * size
    return True


def _in_bounds(part: Region, analyzer: Any) -> bool:
    return all(
        analyzer.can_prove(low >= 0) and analyzer.can_prove(low + extent <= size)
        for low, extent, size in zip(part.mins, part.extents, part.buffer.shape, strict=True)
        if not isinstance(low, int)
    )
