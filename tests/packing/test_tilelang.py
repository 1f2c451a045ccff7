"""Policy tilelang against the compiler's own plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from smemdsl.compilers.tilelang import merge_shared_memory
from smemdsl.core.buffers import Buffer
from smemdsl.packing import sorted_list
from smemdsl.policies import pack
from tests.effort import examples

from . import reference
from .corpus import Record, records
from .instances import buffer_lists, seeded
from .shapes import SHAPES

PLANS = records("tilelang_plans", "tilelang")
RANDOM = records("tilelang_random", "tilelang")


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.label)
def test_public_kernels(plan: Record) -> None:
    """Every offset and the total of a plan that TileLang printed for a public kernel come out."""
    packing = pack("tilelang", plan.buffers, plan.align)
    assert (packing.offsets, packing.arena) == (plan.offsets, plan.total)


@pytest.mark.parametrize("plan", RANDOM, ids=lambda plan: plan.label)
def test_random_kernels(plan: Record) -> None:
    """The compiler's pass and the policy agree on random lives, odd sizes, mixed alignments and name ties."""
    packing = pack("tilelang", plan.buffers, plan.align)
    assert (packing.offsets, packing.arena) == (plan.offsets, plan.total)


def test_the_records_are_all_there() -> None:
    """The two tests above ran on all that was recorded."""
    assert (len(PLANS), len(RANDOM)) == (188, 102)


@pytest.mark.parametrize(
    ("stages", "a_life", "b_life", "c_life", "arena"),
    [(2, (3, 51), (4, 51), (51, 53), 65536), (4, (9, 57), (10, 57), (57, 59), 131072)],
)
def test_epilogue(
    stages: int, a_life: tuple[int, int], b_life: tuple[int, int], c_life: tuple[int, int], arena: int
) -> None:
    """The C tile of a GEMM reuses storage of A once the loop is over."""
    tile = 128 * 64 * 2
    buffers = [
        Buffer("A_shared", stages * tile, 128, *a_life),
        Buffer("B_shared", stages * tile, 128, *b_life),
        Buffer("C_shared", 128 * 128 * 2, 128, *c_life),
    ]
    packing = pack("tilelang", buffers, 128)
    assert (packing.offsets, packing.arena) == ((0, stages * tile, 0), arena)


def test_best_fit_takes_the_tightest_block_and_of_equals_the_lowest() -> None:
    """Of free blocks of 48, 32 and 32 bytes, 32 bytes go to the first of the two tight ones."""
    buffers = [
        Buffer("a", 48, 16, 0, 1),
        Buffer("b", 47, 16, 0, 9),
        Buffer("c", 32, 16, 0, 1),
        Buffer("d", 31, 16, 0, 9),
        Buffer("e", 30, 16, 0, 1),
        Buffer("f", 29, 16, 0, 9),
        Buffer("new", 30, 16, 1, 9),
    ]
    packing = pack("tilelang", buffers, 16)
    assert packing.offsets == (0, 48, 96, 128, 160, 192, 96)


def test_the_last_block_grows_where_nothing_fits() -> None:
    """A buffer larger than any free block starts in the one that ends at the top."""
    buffers = [Buffer("a", 64, 16, 0, 9), Buffer("b", 48, 16, 0, 1), Buffer("c", 100, 16, 1, 9)]
    packing = pack("tilelang", buffers, 16)
    assert (packing.offsets, packing.arena) == ((0, 64, 64), 176)


def test_the_gap_before_an_aligned_buffer_is_used() -> None:
    """What alignment skips at the top goes to the free list, and the next small buffer takes it."""
    buffers = [Buffer("a", 100, 16, 0, 9), Buffer("b", 64, 1024, 1, 9), Buffer("c", 64, 16, 2, 9)]
    packing = pack("tilelang", buffers, 16)
    assert (packing.offsets, packing.arena) == ((0, 1024, 112), 1088)


def test_a_single_buffer_is_left_alone() -> None:
    """One buffer takes its size, unrounded, also beside others of 0 bytes; two are rounded."""
    one, none, two = Buffer("a", 100, 16, 0, 9), Buffer("b", 0, 1024, 0, 9), Buffer("c", 7, 16, 0, 9)
    arenas = [pack("tilelang", buffers, 16).arena for buffers in ([one], [one, none], [one, two])]
    assert arenas == [100, 100, 128]


@settings(deadline=None, max_examples=examples(200))
@given(buffer_lists(most=20))
def test_equals_the_plain_rule(buffers: list[Buffer]) -> None:
    """The indexed free list gives the same offsets as a walk over a plain one."""
    packing = pack("tilelang", buffers, 16)
    offsets, arena = reference.tilelang(buffers, 16)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@pytest.mark.parametrize(("seed", "length"), [(1, 8), (2, 80), (3, 800)])
def test_equals_the_plain_rule_on_many_buffers(seed: int, length: int) -> None:
    """It still does where hundreds of blocks are free."""
    buffers = seeded(seed, 400, length, aligns=(16, 128, 1024))
    packing = pack("tilelang", buffers, 16)
    offsets, arena = reference.tilelang(buffers, 16)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@pytest.mark.parametrize("looks", [1, 4, 1000])
@pytest.mark.parametrize("shape", SHAPES)
def test_equals_the_plain_rule_on_shapes(
    monkeypatch: pytest.MonkeyPatch, shape: Callable[[int], list[Buffer]], looks: int
) -> None:
    """Where many blocks are large enough but for their alignment, the index by alignment finds the same."""
    monkeypatch.setattr(merge_shared_memory.FreeList, "_LOOKS", looks)
    monkeypatch.setattr(sorted_list, "CHUNK", 8)
    buffers = shape(120)
    packing = pack("tilelang", buffers, 16)
    offsets, arena = reference.tilelang(buffers, 16)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@settings(deadline=None, max_examples=examples(200))
@given(buffer_lists(most=40))
def test_equals_the_plain_rule_by_the_index_alone(buffers: list[Buffer]) -> None:
    """The index by alignment, asked after one look, gives the same offsets as walking the list."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge_shared_memory.FreeList, "_LOOKS", 1)
        packing = pack("tilelang", buffers, 16)
    offsets, arena = reference.tilelang(buffers, 16)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)
