"""What several policies compute with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smemdsl.packing.arithmetic import lowest_free

RANGES = st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(RANGES, max_size=6), st.integers(1, 20), st.sampled_from([1, 2, 8, 16]))
def test_the_lowest_free_offset(taken: list[tuple[int, int]], size: int, align: int) -> None:
    """As by trying one aligned offset after the other."""
    free = (o for o in range(0, 1000, align) if all(o + size <= a or b <= o for a, b in taken))
    assert lowest_free(taken, size, align) == next(free)
