"""The list that stays in order against a plain one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.packing import sorted_list
from smemdsl.packing.sorted_list import SortedList
from tests.effort import examples

items = st.tuples(st.integers(0, 9), st.integers(0, 9))


@settings(max_examples=examples(200))
@given(st.lists(st.tuples(st.sampled_from(["add", "insert", "remove"]), items), max_size=80), items)
def test_is_a_sorted_set(steps: list[tuple[str, tuple[int, int]]], key: tuple[int, int]) -> None:
    """Whatever is added and dropped, in chunks of 4, it holds and finds what a sorted list would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_list, "CHUNK", 4)
        listed: SortedList[tuple[int, int]] = SortedList()
        plain: list[tuple[int, int]] = []
        for action, item in steps:
            if action == "remove" and item in plain:
                listed.remove(item)
                plain.remove(item)
            elif action == "add" and item not in plain:
                listed.add(item)
                plain = sorted([*plain, item])
            elif action == "insert" and item not in plain:
                below = [other for other in plain if other < item]
                above = [other for other in plain if other > item]
                expected = (below[-1] if below else None, above[0] if above else None)
                assert listed.insert(item) == expected
                plain = sorted([*plain, item])
            assert list(listed) == plain
        for most in (1, 3, 100):
            assert listed.since(key, most) == [item for item in plain if item >= key][:most]
