"""Gemms: when they are wgmma, how their operands are swizzled, when their loop is a nest."""

from __future__ import annotations

import pytest

from smemdsl.compilers import lower
from smemdsl.compilers.tilelang.rules.gemm import is_nest
from smemdsl.compilers.tilelang.rules.kernel import kernel_of
from smemdsl.compilers.tilelang.rules.warp_partition import columns_of_warps, instruction_columns
from smemdsl.program.statements import Copy, Declared, Gemm, Loop, Program

# dtype bits, M, N, K, A transposed, B transposed, policy, threads: alignment of A and of B on sm_90a,
# as TileLang 0.1.15 printed it for a two-stage GEMM whose copies are TMA
ALIGNMENTS = [
    (16, 64, 48, 16, False, False, "full_row", 384, 256, 256),
    (16, 128, 48, 16, False, False, "full_col", 128, 256, 256),
    (16, 32, 128, 16, False, True, "full_col", 512, 256, 256),
    (16, 32, 48, 16, False, True, "square", 384, 256, 256),
    (16, 256, 48, 16, False, True, "full_row", 128, 256, 256),
    (16, 256, 32, 32, False, False, "square", 256, 512, 256),
    (16, 32, 32, 16, True, True, "square", 256, 512, 256),
    (16, 256, 48, 128, False, False, "full_row", 256, 1024, 256),
    (16, 64, 48, 128, False, False, "square", 384, 1024, 256),
    (16, 64, 64, 16, False, False, "full_row", 256, 256, 512),
    (16, 256, 48, 32, False, True, "full_col", 384, 512, 512),
    (16, 32, 96, 32, True, True, "full_row", 256, 512, 512),
    (16, 32, 96, 64, False, False, "full_col", 128, 1024, 512),
    (16, 128, 256, 32, True, True, "square", 128, 1024, 512),
    (16, 256, 128, 16, False, False, "full_col", 128, 256, 1024),
    (16, 32, 256, 32, True, False, "full_row", 128, 512, 1024),
    (16, 128, 256, 64, False, False, "full_col", 256, 1024, 1024),
    (16, 256, 256, 64, False, False, "square", 128, 1024, 1024),
    (16, 256, 256, 32, True, False, "square", 512, 1024, 1024),
    (16, 256, 64, 32, True, False, "full_col", 128, 1024, 1024),
    (32, 64, 96, 16, False, True, "full_col", 128, 512, 512),
    (32, 64, 48, 32, False, False, "full_row", 128, 1024, 512),
    (32, 128, 32, 16, True, True, "full_col", 256, 1024, 512),
    (32, 256, 64, 32, True, True, "square", 128, 1024, 1024),
    (8, 64, 16, 16, False, False, "full_row", 128, 128, 128),
    (8, 256, 96, 16, False, True, "full_col", 256, 128, 128),
    (8, 64, 192, 16, True, True, "square", 128, 512, 128),
    (8, 64, 16, 32, False, True, "full_row", 128, 256, 256),
    (8, 256, 16, 32, False, True, "square", 512, 256, 256),
    (8, 32, 192, 32, True, True, "full_col", 384, 256, 256),
    (8, 128, 96, 128, True, False, "full_row", 256, 1024, 256),
    (8, 128, 128, 16, False, False, "square", 512, 128, 1024),
    (8, 256, 96, 32, True, False, "full_row", 256, 1024, 256),
    (8, 32, 48, 128, True, True, "square", 128, 256, 1024),
    (8, 64, 256, 64, False, False, "full_col", 128, 512, 1024),
]


def program(gemm: Gemm, bits: int, threads: int, target: str) -> Program:
    """A two-stage GEMM over tiles of the gemm's sizes."""
    m, n, k = gemm.m or 0, gemm.n or 0, gemm.k or 0
    shapes = ((k, m) if gemm.trans_a else (m, k), (n, k) if gemm.trans_b else (k, n))
    tiles = tuple(
        Declared(name, shape, bits, shape[0] * shape[1] * bits // 8)
        for name, shape in zip("AB", shapes, strict=True)
    )
    return Program(target, tiles, (Loop("k", 16, (Copy("A"), Copy("B"), gemm), 0, 2),), threads)


@pytest.mark.parametrize("case", ALIGNMENTS)
def test_operands_filled_by_tma_are_aligned_for_their_swizzle(
    case: tuple[int, int, int, int, bool, bool, str, int, int, int],
) -> None:
    """By what lies side by side for the instruction, which depends on how N spreads over warps."""
    bits, m, n, k, trans_a, trans_b, policy, threads, *expected = case
    gemm = Gemm("A", "B", m, n, k, policy, trans_a, trans_b)
    assert [buffer.align for buffer in lower(program(gemm, bits, threads, "sm_90a")).buffers] == expected


# two gemms that read X, rows and columns of X, threads: alignment of X on sm_90a, whichever gemm is first
LEFT, RIGHT = Gemm("X", "Y", 128, 64, 0, "full_row", trans_b=True), Gemm("Z", "X", 64, 0, 128)
RIGHT_BY_ROWS = Gemm("W", "X", 128, 0, 128, "full_row")
LEFT_TRANSPOSED, RIGHT_OF_64 = Gemm("X", "V", 0, 64, 64, trans_a=True), Gemm("U", "X", 64, 0, 64)
SEVERAL = [
    (LEFT, RIGHT, 128, 64, 256, 512),
    (LEFT, RIGHT, 128, 32, 256, 256),
    (LEFT, RIGHT, 128, 128, 256, 1024),
    (RIGHT_BY_ROWS, RIGHT, 128, 64, 256, 512),
    (RIGHT_BY_ROWS, RIGHT, 128, 32, 256, 256),
    (RIGHT_BY_ROWS, RIGHT, 128, 128, 256, 1024),
    (LEFT_TRANSPOSED, RIGHT_OF_64, 64, 64, 128, 1024),
    (LEFT_TRANSPOSED, RIGHT_OF_64, 64, 64, 256, 512),
    (LEFT_TRANSPOSED, RIGHT_OF_64, 64, 128, 128, 1024),
    (LEFT_TRANSPOSED, RIGHT_OF_64, 64, 128, 256, 1024),
    (LEFT_TRANSPOSED, RIGHT_OF_64, 64, 192, 128, 1024),
    (LEFT_TRANSPOSED, RIGHT_OF_64, 64, 192, 256, 512),
]


def of_columns(gemm: Gemm, columns: int) -> Gemm:
    """The gemm with the columns of X where it has them: along M, N or K."""
    return gemm._replace(m=gemm.m or columns, n=gemm.n or columns, k=gemm.k or columns)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(("one", "two", "rows", "columns", "threads", "align"), SEVERAL)
def test_a_tile_that_several_wgmmas_read_has_the_narrowest_swizzle(
    one: Gemm, two: Gemm, rows: int, columns: int, threads: int, align: int, swap: bool
) -> None:
    """Whichever comes first; 192 B side by side allow a swizzle of 64 B, 128 B one of 128 B."""
    gemms = [of_columns(gemm, columns) for gemm in (one, two)]
    names = (
        "X",
        *dict.fromkeys(name for gemm in gemms for name in (gemm.a, gemm.b) if name not in ("X", None)),
    )
    tiles = tuple(Declared(str(name), (rows, columns), 16, rows * columns * 2) for name in names)
    copies = [Copy(str(name)) for name in names]
    body = (*copies, *(reversed(gemms) if swap else gemms))
    lowered = lower(Program("sm_90a", tiles, (Loop("k", 16, body, 0, 2),), threads))
    assert lowered.buffers[0].align == align


# target, bits, K: whether the gemm's statement was at depth 1 in the compiler's liveness dump
NESTS = [
    ("sm_75", 16, 8, False),
    ("sm_75", 16, 16, True),
    ("sm_75", 8, 16, False),
    ("sm_75", 8, 32, True),
    ("sm_75", 4, 32, False),
    ("sm_75", 4, 64, True),
    *[
        (target, bits, k, k > one)
        for target in ("sm_80", "sm_89", "sm_90a", "sm_100a")
        for bits, one in ((16, 16), (8, 32), (32, 8))
        for k in (one, 2 * one)
    ],
    ("sm_80", 4, 64, False),
    ("sm_80", 4, 128, True),
    ("sm_90a", 4, 64, False),
    ("sm_90a", 4, 128, True),
]


@pytest.mark.parametrize(("target", "bits", "k", "nest"), NESTS)
def test_a_gemm_of_more_than_one_step_is_a_nest(target: str, bits: int, k: int, nest: bool) -> None:
    """`merge-shared-memory/liveness`: 32 x 32 gemms, too small for wgmma."""
    gemm = Gemm("A", "B", 32, 32, k, trans_b=True)
    assert is_nest(gemm, kernel_of(program(gemm, bits, 128, target))) == nest


@pytest.mark.parametrize(
    ("m", "n", "policy", "threads", "columns"),
    [
        (64, 128, "full_row", 256, 2),
        (128, 128, "full_row", 256, 1),
        (128, 128, "full_col", 256, 2),
        (64, 256, "full_col", 512, 4),
        (256, 64, "square", 256, 2),
        (128, 256, "square", 256, 2),
        (64, 64, "square", 128, 1),
    ],
)
def test_wgmma_moves_in_groups_of_four_warps_along_m(
    m: int, n: int, policy: str, threads: int, columns: int
) -> None:
    """64 rows hold one group of four warps, what is left goes along N; as the compiler computed it."""
    gemm = Gemm("A", "B", m, n, 64, policy)
    assert columns_of_warps(gemm, kernel_of(program(gemm, 16, threads, "sm_90a"))) == columns


@pytest.mark.parametrize(
    ("columns", "width"), [(64, 64), (96, 96), (256, 256), (512, 256), (320, 160), (24, 8)]
)
def test_the_instruction_is_as_wide_as_fits(columns: int, width: int) -> None:
    """The widest multiple of 16 up to 256 that divides a warp's columns, else a power of two."""
    assert instruction_columns(columns) == width
