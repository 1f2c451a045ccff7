"""Storage groups, hand-overs and overlaps, by hand and byte by byte."""

from __future__ import annotations

from hypothesis import given, settings

from smemdsl.core.buffers import Buffer
from smemdsl.packing.layout import StorageGroup, StorageReuse, hand_overs, overlaps, storage_groups
from smemdsl.policies import pack

from .instances import buffer_lists

A, B, C = Buffer("A", 100, 1, 0, 2), Buffer("B", 100, 1, 0, 4), Buffer("C", 60, 1, 2, 4)
D, NONE = Buffer("D", 150, 1, 4, 6), Buffer("none", 0, 1, 0, 9)


def test_groups_hang_together_through_others() -> None:
    """D overlaps C and B; A hangs on by C alone, E by D alone; F shares nothing, nor does what is empty."""
    buffers = [A, B, C, D, NONE, Buffer("E", 10, 1, 6, 7), Buffer("F", 10, 1, 0, 7)]
    groups = storage_groups(buffers, (0, 100, 0, 50, 0, 195, 205))
    assert groups == (StorageGroup(0, 205, (0, 1, 2, 3, 5)),)


def test_neighbours_are_no_group() -> None:
    """Buffers that touch without a common byte share no storage."""
    assert storage_groups([A, B, C], (0, 100, 200)) == ()


def test_only_the_last_owner_hands_over() -> None:
    """C takes all of A's first 60 bytes; D then reuses storage of C, of what is left of A, and of B."""
    assert hand_overs([A, B, C, D, NONE], (0, 100, 0, 50, 0)) == (
        StorageReuse(2, 2, (0,)),
        StorageReuse(4, 3, (0, 1, 2)),
    )


def test_an_owner_that_lost_every_byte_is_forgotten() -> None:
    """Where a second buffer has covered the first, a third reuses storage of the second alone."""
    line = [Buffer("a", 8, 1, 0, 1), Buffer("b", 8, 1, 1, 2), Buffer("c", 8, 1, 2, 3)]
    assert hand_overs(line, (0, 0, 0)) == (StorageReuse(1, 1, (0,)), StorageReuse(2, 2, (1,)))


def test_epilogue_hands_over_at_the_end_of_the_loop() -> None:
    """C_shared reuses storage of A_shared at slot 51."""
    lives = [("A_shared", 3, 51), ("B_shared", 4, 51), ("C_shared", 51, 53)]
    buffers = [Buffer(name, 32768, 128, start, end) for name, start, end in lives]
    offsets = pack("tilelang", buffers, 128).offsets
    assert hand_overs(buffers, offsets) == (StorageReuse(51, 2, (0,)),)
    assert storage_groups(buffers, offsets) == (StorageGroup(0, 32768, (0, 2)),)


def test_overlap_needs_a_common_byte() -> None:
    """One byte is enough, touching is not, and nothing overlaps what is empty."""
    assert overlaps(A, 0, B, 99)
    assert overlaps(B, 99, A, 0)
    assert not overlaps(A, 0, B, 100)
    assert not overlaps(A, 0, NONE, 50)


@settings(deadline=None)
@given(buffer_lists(smallest=0))
def test_hand_overs_agree_with_a_ledger_of_bytes(buffers: list[Buffer]) -> None:
    """Writing every byte's owner into an array as buffers come to life gives the same owners."""
    offsets = pack("triton", buffers, 16).offsets
    ledger: dict[int, int] = {}
    expected = []
    for index in sorted(range(len(buffers)), key=lambda i: (buffers[i].start, i)):
        span = range(offsets[index], offsets[index] + buffers[index].bytes)
        if previous := {ledger[byte] for byte in span if byte in ledger}:
            expected.append(StorageReuse(buffers[index].start, index, tuple(sorted(previous))))
        ledger.update(dict.fromkeys(span, index))
    assert hand_overs(buffers, offsets) == tuple(expected)


@settings(deadline=None)
@given(buffer_lists(smallest=0))
def test_groups_are_the_connected_components(buffers: list[Buffer]) -> None:
    """Joining any two buffers that overlap, until nothing changes, gives the same groups."""
    offsets = pack("tilelang", buffers, 16).offsets
    parts = [{i} for i in range(len(buffers))]
    for i, one in enumerate(buffers):
        for j, other in enumerate(buffers):
            if overlaps(one, offsets[i], other, offsets[j]):
                joined = set().union(*(part for part in parts if i in part or j in part))
                parts = [part for part in parts if not part & joined] + [joined]
    expected = {tuple(sorted(part)) for part in parts if len(part) > 1}
    groups = storage_groups(buffers, offsets)
    assert {group.members for group in groups} == expected
    for group in groups:
        assert group.start == min(offsets[i] for i in group.members)
        assert group.end == max(offsets[i] + buffers[i].bytes for i in group.members)
