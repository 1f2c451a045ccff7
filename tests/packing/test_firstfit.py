"""Policy firstfit against its plain rule and by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from smemdsl.core.buffers import Buffer
from smemdsl.packing import firstfit
from smemdsl.policies import pack
from tests.effort import examples

from . import reference
from .instances import buffer_lists, seeded
from .shapes import SHAPES


def test_largest_first_then_the_lowest_hole() -> None:
    """Sizes 100, 60, 50, 30: the last goes into the hole that 60 left beside 50, not on top."""
    buffers = [
        Buffer("small", 30, 1, 0, 2),
        Buffer("large", 100, 1, 0, 3),
        Buffer("early", 60, 1, 1, 2),
        Buffer("late", 50, 1, 2, 3),
        Buffer("tail", 10, 1, 2, 3),
    ]
    packing = pack("firstfit", buffers, 128)
    assert (packing.offsets, packing.arena) == ((160, 0, 100, 100, 150), 190)


def test_ties_go_to_the_earlier_start_then_file_order() -> None:
    """Of equal sizes the one that starts first lies lowest; of equal starts the one written first."""
    buffers = [Buffer("a", 8, 8, 1, 3), Buffer("b", 8, 8, 0, 3), Buffer("c", 8, 8, 0, 3)]
    assert pack("firstfit", buffers, 8).offsets == (16, 0, 8)


def test_a_hole_must_hold_the_buffer_aligned() -> None:
    """A hole of 40 bytes at 100 holds 12 bytes aligned to 16, but not 30."""
    wide, above = Buffer("wide", 100, 1, 0, 9), Buffer("above", 60, 140, 0, 9)
    offsets = [pack("firstfit", [wide, above, Buffer("new", n, 16, 0, 9)], 1).offsets for n in (12, 30)]
    assert offsets == [(0, 140, 112), (0, 140, 208)]


def test_a_hole_that_starts_below_the_alignment_is_a_hole() -> None:
    """Between [0, 40) and [100, 130) an alignment of 64 leaves [64, 100): 25 bytes fit at 64."""
    buffers = [Buffer("low", 40, 1, 0, 9), Buffer("above", 30, 100, 0, 9), Buffer("new", 25, 64, 0, 9)]
    assert pack("firstfit", buffers, 1).offsets == (0, 100, 64)


@settings(deadline=None, max_examples=examples(200))
@given(buffer_lists(most=20))
def test_equals_the_plain_rule(buffers: list[Buffer]) -> None:
    """The index over lives gives the same offsets as trying every offset against every buffer."""
    packing = pack("firstfit", buffers, 16)
    offsets, arena = reference.firstfit(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@pytest.mark.parametrize(("seed", "length"), [(1, 4), (2, 40), (3, 1000)])
def test_equals_the_plain_rule_on_many_buffers(seed: int, length: int) -> None:
    """It does so both where few are live at once and where nearly all are."""
    buffers = seeded(seed, 150, length)
    packing = pack("firstfit", buffers, 16)
    offsets, arena = reference.firstfit(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@pytest.mark.parametrize("chunk", [2, 8, 1000])
@pytest.mark.parametrize("shape", SHAPES)
def test_equals_the_plain_rule_on_shapes(
    monkeypatch: pytest.MonkeyPatch, shape: Callable[[int], list[Buffer]], chunk: int
) -> None:
    """What whole chunks of placed buffers leave free is looked up, and changes no offset."""
    monkeypatch.setattr(firstfit.InOrder, "_CHUNK", chunk)
    buffers = shape(60)
    packing = pack("firstfit", buffers, 16)
    offsets, arena = reference.firstfit(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)


@settings(deadline=None, max_examples=examples(100))
@given(buffer_lists(most=30, aligns=(1, 16, 64)))
def test_equals_the_plain_rule_in_short_chunks(buffers: list[Buffer]) -> None:
    """So does it where chunks are cut all the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(firstfit.InOrder, "_CHUNK", 3)
        packing = pack("firstfit", buffers, 16)
    offsets, arena = reference.firstfit(buffers)
    assert (list(packing.offsets), packing.arena) == (offsets, arena)
