"""Reading Triton's allocation dump."""

from __future__ import annotations

import pytest

from smemdsl.compilers.triton.capture.dump_text import Made, parse_dump

SHARED = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"
TILE = f"%36 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, {SHARED}, #ttg.shared_memory, mutable>"
REDUCE = (
    '%8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n  %c = arith.addf %a, %b : f32\n})'
)
PRINTED = f"""\
some warning
-- buffer 0; value: {TILE}
-- buffer 1; value: {REDUCE} : (tensor<128xf32>) -> f32
[allocation-shared-memory]: Dump bufferRange: id size offset ---------
-- 0 49152 0 interval 44 99
-- 1 16 0 interval 98 100
[allocation-shared-memory]:

[allocation-shared-memory]: Dump interference graph:

-- color 0 0
-- color 1 1
[allocation-shared-memory]: Dump bufferRange: id size offset ---------
-- 0 49152 0 interval 44 99
-- 1 16 49152 interval 98 100
[allocation-shared-memory]: Dump shared memory allocation size -----------
Allocated: 49168, analyzed: 49168
-- buffer 0; value: {TILE.replace("alloc :", "alloc {allocation.offset = 0 : i32} :")}
-- buffer 1; value: {REDUCE} {{allocation.offset = 49152 : i32}} : (tensor<128xf32>) -> f32
[allocation-shared-memory]: Dump bufferRange: id size offset ---------
-- 0 49152 0 interval 44 101
-- 1 64 49152 interval 100 102
[allocation-shared-memory]: Dump shared memory allocation size -----------
Allocated: 49216, analyzed: 49216
"""
"""The form of what Triton 3.9.0 prints; the second allocation is a later pass's."""


def test_first_allocation() -> None:
    """The last offsets of the allocation that gives them count; those that later passes work out do not."""
    (found,) = parse_dump(PRINTED)
    assert found.total == 49168
    assert [(b.kind, b.bytes, b.offset, b.live) for b in found.buffers] == [
        ("local_alloc", 49152, 0, (44, 99)),
        ("reduce", 16, 49152, (98, 100)),
    ]


@pytest.mark.parametrize(
    ("op", "align"),
    [
        (TILE, 1024),
        (TILE.replace("Width = 128", "Width = 64"), 512),
        (TILE.replace("Width = 128", "Width = 32"), 256),
        (TILE.replace("Width = 128", "Width = 0"), 128),
        (TILE.replace(SHARED, "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8}>"), 16),
        (TILE.replace("alloc :", "alloc {alignment = 64 : i32} :"), 64),
        ("%103 = ttg.convert_layout %102 : tensor<128x128xf16, #a> -> tensor<128x128xf16, #b>", 128),
    ],
)
def test_alignment(op: str, align: int) -> None:
    """128 B for each 16 B of swizzle, 16 B without one, what the operation states, 128 B for scratch."""
    assert Made(0, op, 1, 0, (0, 1)).align == align


@pytest.mark.parametrize(
    ("op", "versions", "what"),
    [
        (TILE, 3, "local_alloc 3x128x64xf16"),
        ("%1 = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #s, #m, mutable>", 2, "local_alloc 2x1xi64"),
        (
            "%1 = ttg.local_alloc %0 : (tensor<8x4xf16>) -> !ttg.memdesc<8x4xf16, #s, #m>",
            1,
            "local_alloc 8x4xf16",
        ),
        ("%1 = ttg.local_alloc : () -> !ttg.memdesc<8x4xf16, #s, #m, mutable>", 1, "local_alloc 8x4xf16"),
        ("%1 = ttg.convert_layout %0 : tensor<8x4xf16> -> tensor<8x4xf16>", 1, "convert_layout"),
    ],
)
def test_versions(op: str, versions: int, what: str) -> None:
    """Of an allocation without initial value, which is filled again and again, the leading extent."""
    made = Made(0, op, 1, 0, (0, 1))
    assert (made.versions, made.what) == (versions, what)
