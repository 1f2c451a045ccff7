"""Random buffers, for hypothesis and by seed."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from smemdsl.core.buffers import Buffer

ALIGNS = st.sampled_from([(1,), (16,), (16, 128), (1, 2, 4, 8), (16, 1024)])
SIZES = st.sampled_from([(1, 3), (1, 40), (16, 16), (100, 4000)])
SPANS = st.sampled_from([1, 3, 10, 40])


@st.composite
def buffer_lists(
    draw: st.DrawFn, smallest: int = 1, most: int = 14, aligns: tuple[int, ...] = ()
) -> list[Buffer]:
    """Up to `most` buffers, of at least `smallest` bytes where that is 0; many ties, names in no order."""
    low, high = draw(SIZES)
    pool = aligns or draw(ALIGNS)
    slots, length = draw(SPANS), draw(SPANS)
    rows = st.tuples(
        st.text("aAbB_19", min_size=1, max_size=3),
        st.integers(min(low, smallest), high),
        st.sampled_from(pool),
        st.integers(0, slots),
        st.integers(1, length),
    )
    drawn = draw(st.lists(rows, max_size=most, unique_by=lambda row: row[0]))
    return [Buffer(name, size, align, start, start + more) for name, size, align, start, more in drawn]


def seeded(seed: int, count: int, length: int, aligns: tuple[int, ...] = (16, 128)) -> list[Buffer]:
    """Buffers with lives of up to `length` slots, spread so that about `length` / 4 are live at once."""
    random = Random(seed)
    starts = [random.randrange(2 * count) for _ in range(count)]
    return [
        Buffer(
            f"b{random.randrange(10**9)}_{index}",
            random.randrange(1, 500),
            random.choice(aligns),
            start,
            start + random.randrange(1, length + 1),
        )
        for index, start in enumerate(starts)
    ]
