"""Policy triton against the compiler's own allocations."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings

from smemdsl.compilers.triton.allocate_shared_memory import guess
from smemdsl.core.buffers import Buffer
from smemdsl.packing.lives import Unplaced, clashes
from smemdsl.policies import pack
from tests.effort import examples

from . import reference
from .corpus import Record, records
from .instances import buffer_lists, seeded
from .shapes import SHAPES

KERNELS = records("triton", "triton")
RANDOM = records("triton_random", "triton")


def test_public_kernels() -> None:
    """Every offset and the total of 423 allocations that Triton 3.9.0 made for public kernels come out."""
    assert len(KERNELS) == 423
    wrong = [k.label for k in KERNELS if pack("triton", k.buffers, 16)[:2] != (k.offsets, k.total)]
    assert wrong == []


@pytest.mark.parametrize("kernel", RANDOM, ids=lambda kernel: kernel.label)
def test_random_kernels(kernel: Record) -> None:
    """The compiler's pass and the policy agree on random lives, most of which make the first guess clash."""
    packing = pack("triton", kernel.buffers, 16)
    assert (packing.offsets, packing.arena) == (kernel.offsets, kernel.total)


def test_the_second_phase_is_exercised() -> None:
    """The guess clashes for exactly the records whose buffers had to be moved apart, and those are many."""
    moved = []
    for kernel in RANDOM:
        ranked = sorted(kernel.buffers, key=lambda buffer: -buffer.bytes)
        assert bool(clashes(ranked, guess(ranked))) == bool(kernel.passes)
        moved.append(kernel.passes)
    assert sum(passes > 0 for passes in moved) == 60
    assert max(moved) == 13


def test_default_alignment_does_not_round_the_arena() -> None:
    """The arena is the highest end, whatever the file's default alignment."""
    assert pack("triton", [Buffer("a", 100, 16, 0, 2), Buffer("b", 7, 16, 1, 3)], 1024).arena == 119


def test_it_may_take_more_than_no_reuse() -> None:
    """Moving apart can cost more than never sharing: Triton 3.9.0 takes 7824 B for 7760 B of buffers."""
    sizes = [592, 1152, 1168, 704, 896, 1120, 912, 1216]
    lives = [(0, 10), (1, 8), (2, 6), (3, 13), (4, 11), (6, 14), (8, 15), (11, 16)]
    buffers = [Buffer(f"b{i}", size, 16, *lives[i]) for i, size in enumerate(sizes)]
    packing = pack("triton", buffers, 16)
    assert packing.offsets == (7232, 1168, 0, 6528, 5248, 3216, 4336, 0)
    assert packing.arena == 7824 > sum(sizes)


SAME_START = [
    Buffer(f"b{number}", size, 1, *life)
    for number, (size, *life) in enumerate([(4, 2, 8), (6, 0, 2), (5, 0, 3), (4, 5, 13), (6, 6, 11)])
]
"""Where slot and buffer start together, no slot for [slot start, buffer end) is added; one would save 4 B."""


@settings(deadline=None, max_examples=examples(200))
@given(buffer_lists(most=16))
@example(SAME_START)
def test_equals_the_plain_rule(buffers: list[Buffer]) -> None:
    """Indexes give the same offsets as comparing everything with everything."""
    packing = pack("triton", buffers, 16)
    offsets, arena = reference.triton(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@pytest.mark.parametrize(("seed", "length"), [(1, 8), (2, 40), (3, 120), (4, 300)])
def test_equals_the_plain_rule_on_many_buffers(seed: int, length: int) -> None:
    """They still do where clashes take many rounds to resolve."""
    buffers = seeded(seed, 120, length)
    packing = pack("triton", buffers, 16)
    offsets, arena = reference.triton(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@settings(deadline=None)
@given(buffer_lists(most=20))
def test_clashes_are_all_pairs_that_clash(buffers: list[Buffer]) -> None:
    """The sweep finds the pairs that looking at all pairs finds, each from both sides, once."""
    offsets = [7 * index % 50 for index in range(len(buffers))]
    found = sorted((i, j) for i, others in clashes(buffers, offsets).items() for j in others)
    expected = reference.clashing(buffers, offsets)
    assert found == sorted([*expected, *((j, i) for i, j in expected)])


@settings(deadline=None)
@given(buffer_lists(most=20))
def test_unplaced_finds_the_least_rank(buffers: list[Buffer]) -> None:
    """In any interval, and as buffers are removed, the first that lies within it is found."""
    unplaced = Unplaced(buffers)
    left = list(range(len(buffers)))
    while left:
        for start, end in ((0, 5), (2, 11), (1, 100), (7, 8)):
            within = [i for i in left if start <= buffers[i].start and buffers[i].end <= end]
            assert unplaced.first_within(start, end) == min(within, default=len(buffers))
        unplaced.remove(left.pop(len(left) // 2))
    assert unplaced.count == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_equals_the_plain_rule_on_shapes(shape: Callable[[int], list[Buffer]]) -> None:
    """So it does where lives or sizes all agree."""
    buffers = shape(60)
    packing = pack("triton", buffers, 16)
    offsets, arena = reference.triton(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)
