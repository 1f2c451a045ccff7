"""The peak and the no-reuse sum."""

from __future__ import annotations

from hypothesis import given, settings

from smemdsl.core.buffers import Buffer
from smemdsl.packing.peak import Peak, no_reuse, peak

from . import reference
from .instances import buffer_lists

EPILOGUE = [
    Buffer("A_shared", 32768, 128, 3, 51),
    Buffer("B_shared", 32768, 128, 4, 51),
    Buffer("C_shared", 32768, 128, 51, 53),
]


def test_epilogue() -> None:
    """A and B make the peak from the slot at which B comes to life; all three make the sum."""
    assert peak(EPILOGUE) == Peak(65536, 4, (0, 1))
    assert no_reuse(EPILOGUE) == 98304


def test_nothing_to_hold() -> None:
    """No buffers, or only empty ones, have a peak of 0 that nobody makes."""
    assert peak([]) == peak([Buffer("none", 0, 16, 3, 4)]) == Peak(0, 0, ())
    assert no_reuse([]) == 0


def test_one_that_dies_where_another_is_born_does_not_add_to_it() -> None:
    """Lives are half-open: 100 bytes up to slot 4 and 100 from slot 4 on make 100, first at slot 1."""
    lives = [Buffer("a", 100, 16, 1, 4), Buffer("b", 100, 16, 4, 9), Buffer("none", 0, 16, 0, 9)]
    assert peak(lives) == Peak(100, 1, (0,))


@settings(deadline=None)
@given(buffer_lists(smallest=0))
def test_agrees_with_brute_force(buffers: list[Buffer]) -> None:
    """Bytes and first slot are those found by looking at every slot; the named buffers add up to them."""
    found = peak(buffers)
    assert (found.bytes, found.slot) == reference.peak(buffers)
    assert sum(buffers[index].bytes for index in found.live) == found.bytes
    assert all(buffers[index].bytes > 0 for index in found.live)
