"""What the policy promises: the least arena, a bound, a proof."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from benchmarks.optimal.exhaustive import least_arena, small
from smemdsl.core.buffers import Buffer, Packing
from smemdsl.packing.optimal import place, unavoidable_padding
from smemdsl.packing.optimal.job import Job
from smemdsl.policies import pack
from tests.effort import examples
from tests.packing.corpus import records
from tests.packing.optimal.exhaustive import instances
from tests.packing.reference import is_valid, peak

ENOUGH_SECONDS = 60.0


def shortest(buffers: list[Buffer]) -> Packing:
    return place(buffers, 16, time_limit=ENOUGH_SECONDS)


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_every_order_of_up_to_six(seed: int) -> None:
    """Fifty instances a seed: the arena is the least over all orders, valid, and proved."""
    random = Random(seed)
    for _ in range(50):
        buffers = small(random, 6)
        packing = shortest(buffers)
        assert packing.arena == packing.lower_bound == least_arena(buffers), buffers
        assert packing.proved
        assert is_valid(buffers, packing.offsets, packing.arena)


@settings(max_examples=examples(60), deadline=None)
@given(instances(7))
def test_agrees_with_every_order_of_up_to_seven(buffers: list[Buffer]) -> None:
    """The same with seven buffers, on instances that hypothesis picks."""
    assert shortest(buffers).arena == least_arena(buffers)


def test_nothing_to_place() -> None:
    """No buffers: an arena of 0 bytes, proved."""
    assert place([], 128) == Packing((), 0, 0, True)


@pytest.mark.parametrize(
    ("buffers", "arena"),
    [
        pytest.param([Buffer("a", 100, 128, 0, 1)], 100, id="one buffer, the arena is not rounded"),
        pytest.param(
            [Buffer("a", 100, 128, 0, 2), Buffer("b", 60, 128, 1, 3)], 188, id="the smaller goes on top"
        ),
        pytest.param(
            [Buffer("a", 100, 1, 0, 1), Buffer("b", 100, 1, 1, 2)], 100, id="one after the other, shared"
        ),
        pytest.param(
            [Buffer("a", 1040, 1024, 0, 1), Buffer("b", 1024, 1024, 0, 1), Buffer("c", 16, 16, 0, 1)],
            2080,
            id="1024 + 1040 + 16: the large one with the ragged end goes above",
        ),
        pytest.param(
            [
                Buffer("a", 3, 1, 0, 2),
                Buffer("b", 3, 1, 1, 3),
                Buffer("c", 2, 1, 2, 4),
                Buffer("d", 4, 1, 0, 1),
            ],
            7,
            id="a and d make 7; b and c fit below",
        ),
    ],
)
def test_by_hand(buffers: list[Buffer], arena: int) -> None:
    """Small instances whose least arena follows from arithmetic."""
    packing = place(buffers, 128)
    assert (packing.arena, packing.lower_bound, packing.proved) == (arena, arena, True)


def test_lives_that_interlock_cost_more_than_the_peak() -> None:
    """Nine buffers of which 4 bytes are live at every slot need 5: no order of them does with less."""
    sizes = (2, 1, 2, 1, 1, 1, 1, 2, 2)
    lives = ((0, 1), (1, 3), (0, 4), (3, 5), (4, 5), (1, 6), (4, 6), (5, 7), (6, 7))
    buffers = [
        Buffer(f"b{i}", size, 1, *life) for i, (size, life) in enumerate(zip(sizes, lives, strict=True))
    ]
    packing = shortest(buffers)
    assert peak(buffers)[0] == 4
    assert packing.arena == packing.lower_bound == least_arena(buffers) == 5
    assert unavoidable_padding(buffers, packing) == 1


def test_every_recorded_kernel_is_proved_and_no_worse() -> None:
    """Each TileLang and Triton kernel: least arena proved within the limit, never above the compiler's."""
    plans = [*records("tilelang_plans", "tilelang"), *records("triton", "triton")]
    assert len(plans) > 500
    for plan in plans:
        buffers = [buffer for buffer in plan.buffers if buffer.bytes]
        packing = place(buffers, plan.align, time_limit=ENOUGH_SECONDS)
        assert packing.proved, plan.label
        assert peak(buffers)[0] <= packing.arena <= plan.total, plan.label


@pytest.mark.parametrize(
    ("compiled", "least"),
    [
        pytest.param(188416, 124160, id="flashattn_bwd_atomic_add, sm_90a, aggressive merge"),
        pytest.param(34816, 32000, id="chunk_intra_token_parallel, sm_80"),
    ],
)
def test_kernels_that_tilelang_wastes_most_on(compiled: int, least: int) -> None:
    """Two plans of TileLang 0.1.15 with a known least arena."""
    plans = [plan for plan in records("tilelang_plans", "tilelang") if plan.total == compiled]
    assert least in {shortest(plan.buffers).arena for plan in plans}


@given(instances(9))
@settings(max_examples=examples(60), deadline=None)
def test_the_same_input_gives_the_same_offsets(buffers: list[Buffer]) -> None:
    """Where the search finishes, nothing but the input decides."""
    assert shortest(buffers) == shortest(buffers)


@given(instances(6))
@settings(max_examples=examples(60), deadline=None)
def test_no_time_still_gives_a_valid_packing_with_a_bound(buffers: list[Buffer]) -> None:
    """A limit of 0: a valid arena, and a bound between the peak and it; `proved` exactly where they meet."""
    packing = place(buffers, 16, time_limit=0.0)
    assert is_valid(buffers, packing.offsets, packing.arena)
    assert packing.lower_bound is not None
    assert (
        peak(buffers)[0]
        <= packing.lower_bound
        <= least_arena(buffers[:7]) + sum(buffer.bytes + buffer.align for buffer in buffers[7:])
    )
    assert packing.proved == (packing.lower_bound == packing.arena)


def test_interrupt_gives_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the midst of the search: the packing so far, with its bound, instead of an exception."""
    random = Random(1)
    buffers = next(
        buffers
        for buffers in (small(random, 7) for _ in range(10_000))
        if not place(buffers, 16, time_limit=0.0).proved
    )

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Job, "step", interrupt)
    packing = place(buffers, 16)
    assert is_valid(buffers, packing.offsets, packing.arena)
    assert packing.proved is False
    assert packing.lower_bound is not None and packing.lower_bound < packing.arena


def test_pack_knows_the_policy() -> None:
    """`pack("optimal")` leaves out what is empty, passes the limit on and keeps the proof."""
    buffers = [Buffer("a", 8, 8, 0, 2), Buffer("none", 0, 1, 0, 2), Buffer("b", 8, 8, 1, 3)]
    assert pack("optimal", buffers, 16, time_limit=1.0) == Packing((0, 0, 8), 16, 16, True)


def test_no_bound_no_padding_claimed() -> None:
    """A packing of another policy claims no bound, so nothing is unavoidable."""
    assert unavoidable_padding([Buffer("a", 8, 8, 0, 2)], Packing((0,), 8)) == 0
