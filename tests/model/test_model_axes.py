"""Axes: the values that a list, a range or a text names."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.scenario.axes import AxisError, read_axis, split_commas
from smemdsl.scenario.spec import Choice


def values(written: Any) -> list[Any]:
    """The values of an axis whose choices are kept as they are read."""

    def keep(value: Any, index: tuple[int, ...]) -> Choice:
        kept: Any = value.strip() if isinstance(value, str) else value
        return cast(Choice, kept)

    return list(read_axis("n", written, keep).values)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1..6", [1, 2, 3, 4, 5, 6]),
        ("1..1", [1]),
        ("-2..1", [-2, -1, 0, 1]),
        (" 1 .. 3 ", [1, 2, 3]),
        ("16..64:16", [16, 32, 48, 64]),
        ("16..70:16", [16, 32, 48, 64]),
        ("1..6:7", [1]),
        ("16..256*2", [16, 32, 64, 128, 256]),
        ("16..255*2", [16, 32, 64, 128]),
        ("1..30 * 3", [1, 3, 9, 27]),
        ("3", [3]),
        ("2,4", [2, 4]),
        ("4, 2, 4", [4, 2, 4]),
        ("32, 1..3, 64..256*2", [32, 1, 2, 3, 64, 128, 256]),
        ("true, false", [True, False]),
        ("float16,bfloat16", ["float16", "bfloat16"]),
        ("0x10", [16]),
        ("min(a, 2), max(3, b)", ["min(a, 2)", "max(3, b)"]),
        ("2 * m", ["2 * m"]),
        ("010", ["010"]),
        ("null", ["null"]),
        ([1, 2], [1, 2]),
        ([1, "2..4", "x", True], [1, 2, 3, 4, "x", True]),
        (["1, 2"], ["1, 2"]),
        (7, [7]),
        (False, [False]),
    ],
)
def test_what_an_axis_holds(written: Any, expected: list[Any]) -> None:
    """Lists keep their order, ranges have both ends, commas inside a call do not split."""
    assert values(written) == expected
    assert [type(value) for value in values(written)] == [type(value) for value in expected]


@pytest.mark.parametrize(
    ("written", "offset", "index"),
    [
        ("6..1", 0, ()),
        ("1..6:0", 0, ()),
        ("1..6:-1", 0, ()),
        ("0..6*2", 0, ()),
        ("1..6*1", 0, ()),
        ("1...6", 0, ()),
        ("1..", 0, ()),
        ("..6", 0, ()),
        ("1..n", 0, ()),
        ("01..6", 0, ()),
        ("1..6:2:3", 0, ()),
        ("1.5..2", 0, ()),
        ("1..9223372036854775808", 0, ()),
        ("-9223372036854775807..1", 0, ()),
        (f"1..{'9' * 5000}", 0, ()),
        ("", 0, ()),
        ("1,", 2, ()),
        (",1", 0, ()),
        ("1, ,2", 3, ()),
        ("1,  6..1", 4, ()),
        (["1..2", "6..1"], 0, (1,)),
        (["", 1], 0, (0,)),
        ("1..900000, 1..900000", 0, ()),
    ],
)
def test_what_is_no_axis(written: Any, offset: int, index: tuple[int, ...]) -> None:
    """A range that is reversed, endless or malformed, and an empty part, are refused where they stand."""
    with pytest.raises(AxisError) as caught:
        values(written)
    assert (caught.value.offset, caught.value.index) == (offset, index)


def test_a_huge_range_takes_no_memory() -> None:
    """A single range is not written out."""
    axis = read_axis("n", "1..9000000000000000000", lambda value, _: 0)
    assert (len(axis.values), axis.values[-1]) == (9 * 10**18, 9 * 10**18)


@given(st.integers(-50, 50), st.integers(0, 60), st.integers(1, 9))
def test_ranges_are_python_s(low: int, span: int, step: int) -> None:
    """low..high:step has the values of range(low, high + 1, step)."""
    assert values(f"{low}..{low + span}:{step}") == list(range(low, low + span + 1, step))


@given(st.lists(st.text("ab1(), ", max_size=5), min_size=1, max_size=5))
def test_splitting_loses_nothing(parts: list[str]) -> None:
    """The parts stand in the text at their offsets, in order, with the commas between them."""
    text = ",".join(parts)
    found = split_commas(text)
    assert ",".join(part for _, part in found) == text
    assert all(text[begin : begin + len(part)] == part for begin, part in found)


@given(st.text("019.:*,-+ na()", max_size=20))
def test_no_text_raises_anything_else(text: str) -> None:
    """Any text is an axis, or an AxisError at a place inside it."""
    try:
        assert len(read_axis("n", text, lambda value, _: 0).values) > 0
    except AxisError as error:
        assert 0 <= error.offset <= len(text)
