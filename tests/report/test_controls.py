"""What a page lets its reader set, and how much of it is worked out."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.output.report.controls import MOST, MOST_OF_PAGE, choices_of, fair_share
from tests.texts import scenario

HEAD = "params: {n: 2, m: 4, dt: float16, twice: n * 2}\nbuffers: {a: {bytes: n * m, versions: twice}}\n"
CASES = [
    pytest.param("sweep: {n: 1..4}", 256, [("n", "1 2 3 4", 1)], id="a range"),
    pytest.param("sweep: {n: [4, 2]}", 256, [("n", "4 2", 1)], id="a list keeps its order"),
    pytest.param("sweep: {n: [4, 4, 2]}", 256, [("n", "4 2", 1)], id="twice the same"),
    pytest.param("sweep: {n: 3..5}", 256, [("n", "2 3 4 5", 0)], id="the file's value is none of them"),
    pytest.param("sweep: {n: [1, 4]}", 256, [("n", "1 2 4", 1)], id="and stands in order"),
    pytest.param("sweep: {dt: [int8, float32]}", 256, [("dt", "float16 int8 float32", 0)], id="dtypes"),
    pytest.param(
        "sweep: {twice: 1..2}", 256, [("twice", "n * 2 (the file's own)|1|2", 0)], id="an expression"
    ),
    pytest.param(
        "fill: {n: 1..8}\nsweep: {n: 1..2}", 256, [("n", "the largest that fits|1|2", 0)], id="filled"
    ),
    pytest.param(
        "configs: [{n: 1}, {n: 4, m: 8}]", 256, [("configuration", "as the file stands|n=1|n=4 m=8", 0)],
        id="configurations",
    ),
    pytest.param("sweep: {n: 1..100}", 5, [("n", "1 2 50 75 100", 1)], id="thinned, its own value kept"),
    pytest.param(
        "sweep: {n: 1..1000, m: [2, 4]}", 8, [("n", "1 2 667 1000", 1), ("m", "2 4", 1)], id="short ones stay"
    ),
    pytest.param("sweep: {n: 1..9, m: 1..9}", 1, [("n", "2", 0), ("m", "4", 0)], id="nothing but itself"),
    pytest.param("sweep: {n: 1..999999999999}", 2, [("n", "2 999999999999", 0)], id="a range of any length"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "most", "expected"), CASES)
def test_controls(text: str, most: int, expected: list[tuple[str, str, int]]) -> None:
    """The values of each control, and which of them the base row has."""
    found = choices_of(scenario(HEAD + text), {}, most).controls
    assert [(c.name, list(c.values), c.initial) for c in found] == [
        (name, values.split("|" if "|" in values else " "), initial) for name, values, initial in expected
    ]


def test_a_value_given_takes_the_place_of_the_files() -> None:
    """`--set` moves what the base row has."""
    one = scenario(HEAD + "sweep: {n: 1..3}")
    (control,) = choices_of(one, {"n": 8}, 256).controls
    assert (control.values, control.initial) == (("1", "2", "3", "8"), 3)


def test_what_is_left_out_is_said() -> None:
    """How many combinations there are, which values are missing, and how to have them."""
    found = choices_of(scenario(HEAD + "sweep: {n: 1..100, m: [2, 4]}"), {}, 10)
    assert found.cut == (
        "10 of 200 combinations were worked out: 5 of 100 values of n. --combinations 200 takes all."
    )
    assert choices_of(scenario(HEAD + "sweep: {n: 1..100, m: [2, 4]}"), {}, 200).cut == ""


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=3),
    st.lists(st.integers(1, 50), min_size=3, max_size=3),
    st.integers(1, 300),
)
def test_never_more_than_asked_for(sizes: list[int], own: list[int], most: int) -> None:
    """The bound holds, and the base row is the combination that its index says."""
    params = ", ".join(f"p{i}: {own[i]}" for i in range(len(sizes)))
    axes = ", ".join(f"p{i}: 1..{size}" for i, size in enumerate(sizes))
    text = f"params: {{{params}}}\nbuffers: {{a: {{bytes: 8}}}}\nsweep: {{{axes}}}"
    found = choices_of(scenario(text), {}, most)
    combinations = found.combinations()
    assert 1 <= len(combinations) == prod(len(c.values) for c in found.controls) <= most
    assert combinations[found.base] == {f"p{i}": own[i] for i in range(len(sizes))}
    whole = prod(size + (value > size) for size, value in zip(sizes, own, strict=False))
    assert bool(found.cut) == (len(combinations) < whole)
    for control in found.controls:
        numbers = list(map(int, control.values))
        assert control.is_range
        assert numbers == sorted(set(numbers))


def test_many_scenarios_share_a_page() -> None:
    """The page's data stays small enough to open at once."""
    assert [fair_share(count) for count in (0, 1, 64)] == [MOST] * 3
    assert fair_share(1000) == 16
    assert fair_share(10**9) == 1
    assert all(count * fair_share(count) <= MOST_OF_PAGE for count in range(1, 5000))
