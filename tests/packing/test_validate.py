"""The validator finds what is wrong, whatever it is, and nothing where nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.core.buffers import Buffer, Packing
from smemdsl.packing.validate import violation
from smemdsl.policies import pack
from tests.effort import examples

from . import reference
from .instances import buffer_lists

A, B, C = Buffer("A", 100, 16, 0, 4), Buffer("B", 50, 16, 2, 6), Buffer("C", 80, 16, 4, 8)


@pytest.mark.parametrize(
    ("offsets", "arena", "problem"),
    [
        ((0, 112, 0), 162, None),
        ((0, 104, 0), 162, "B at offset 104 is not aligned to 16 B"),
        ((-16, 112, 0), 162, "A at offset -16 is not aligned to 16 B"),
        ((0, 96, 0), 162, "A and B share bytes and are both live at slot 2"),
        ((0, 112, 48), 162, "B and C share bytes and are both live at slot 4"),
        ((0, 0, 112), 200, "A and B share bytes and are both live at slot 2"),
        ((0, 112, 0), 149, "the arena of 149 B is below the peak: 150 B are live at slot 2"),
        ((0, 112, 0), 161, "B ends at 162 B, past the arena of 161 B"),
        ((0, 112), 162, "2 offsets for 3 buffers"),
    ],
)
def test_names_what_is_wrong(offsets: tuple[int, ...], arena: int, problem: str | None) -> None:
    """Each kind of violation is told apart and names the buffers."""
    assert violation([A, B, C], Packing(offsets, arena)) == problem


def test_the_dead_make_room_at_the_same_slot() -> None:
    """A buffer may take the bytes of one that ends at the slot at which it starts."""
    assert violation([A, C], Packing((0, 0), 100)) is None


@settings(deadline=None, max_examples=examples(200))
@given(buffer_lists(most=10), st.lists(st.integers(0, 12), min_size=10, max_size=10), st.integers(0, 3000))
def test_agrees_with_brute_force(buffers: list[Buffer], steps: list[int], arena: int) -> None:
    """On any placement, right or wrong, it finds a violation exactly where looking at every pair does."""
    offsets = tuple(16 * step for step, _ in zip(steps, buffers, strict=False))
    found = violation(buffers, Packing(offsets, arena))
    assert (found is None) == reference.is_valid(buffers, offsets, arena)


@settings(deadline=None)
@given(buffer_lists(most=12, aligns=(16,)), st.data())
def test_a_seeded_clash_is_found(buffers: list[Buffer], data: st.DataObject) -> None:
    """Move one buffer of a right packing onto another that is live with it, and the two are named."""
    packing = pack("firstfit", buffers, 16)
    together = [
        (i, j)
        for i, one in enumerate(buffers)
        for j, other in enumerate(buffers)
        if i != j and reference.meet(reference.life(one), reference.life(other))
    ]
    if not together:
        return
    moved, onto = data.draw(st.sampled_from(together))
    offsets = [*packing.offsets[:moved], packing.offsets[onto], *packing.offsets[moved + 1 :]]
    found = violation(buffers, packing._replace(offsets=tuple(offsets), arena=10**6))
    pairs = reference.clashing(buffers, offsets)
    assert found is not None
    named = {tuple(sorted(found.split(" share ")[0].split(" and ")))}
    assert named <= {tuple(sorted((buffers[i].name, buffers[j].name))) for i, j in pairs}
