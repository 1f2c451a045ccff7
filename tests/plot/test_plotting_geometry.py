"""Where things stand on a figure: the axis of bytes, labels that are moved apart, texts that fit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.output.plotting.labels import (
    LEADING,
    Box,
    Label,
    apart,
    every,
    fitted,
    letters,
    shortened,
    thinned,
    wrapped,
)
from smemdsl.output.plotting.scale import Scale, scale_of, spread
from smemdsl.output.plotting.sizes import UNITS, size_label, unit_of


def measure(text: str, size: float) -> float:
    """Every character is half as wide as high."""
    return len(text) * size / 2


@pytest.mark.parametrize(
    ("arenas", "limits", "scale"),
    [
        ([100, 80], [50], Scale(100, ())),
        ([100], [160], Scale(160, ())),  # 1.6 times the arena is near enough
        ([100], [161, 120, 900], Scale(120, (161, 900))),
        ([100], [0, -5], Scale(100, ())),
    ],
)
def test_far_budgets_are_not_to_scale(arenas: list[int], limits: list[int], scale: Scale) -> None:
    """What is near the arenas is to scale, the rest has a step each."""
    assert scale_of(arenas, limits) == scale


@given(
    st.lists(st.integers(1, 1 << 40), min_size=1, max_size=5), st.lists(st.integers(1, 1 << 40), max_size=6)
)
def test_addresses_keep_their_order(arenas: list[int], limits: list[int]) -> None:
    """Up to its end the scale is the identity; a higher address never stands above a lower one."""
    scale = scale_of(arenas, limits)
    places = [scale.at(limit) for limit in sorted(set(limits))]
    assert all(lower < higher for lower, higher in pairwise(places))
    assert all(scale.at(arena) == arena for arena in arenas)
    assert all(place <= scale.length * (1 + 1e-12) for place in places)


@given(st.lists(st.floats(0, 100), max_size=12).map(sorted), st.floats(0.1, 20))
def test_labels_are_moved_apart(wanted: list[float], gap: float) -> None:
    """Neighbours keep their order and at least the gap; what is apart already stays where it is."""
    places = spread(wanted, gap)
    assert all(right - left >= gap * (1 - 1e-9) for left, right in pairwise(places))
    if all(right - left >= gap for left, right in pairwise(wanted)):
        assert places == pytest.approx(wanted)
    assert sum(places) == pytest.approx(sum(wanted), abs=1e-6)


def test_labels_are_moved_to_both_sides() -> None:
    """Two at the same place move half the gap each; a third that is then too near moves with them."""
    assert spread([10, 10], 4) == pytest.approx([8, 12])
    assert spread([10, 10, 13], 4) == pytest.approx([7, 11, 15])


@pytest.mark.parametrize(
    ("width", "height", "label"),
    [
        (100, 40, Label(("A_shared", "64.0 KiB, 4 versions"), 8, upright=False)),
        (60, 40, Label(("A_shared", "64.0 KiB"), 8, upright=False)),
        (60, 15, Label(("A_shared",), 8, upright=False)),
        (34, 40, Label(("A_", "shared"), 8, upright=False)),
        (12, 80, Label(("A_shared",), 8, upright=True)),
        (36, 9, Label(("A_shared",), 6.8, upright=False)),
        (100, 4, None),
        (9, 9, None),
    ],
)
def test_what_fits_a_rectangle(width: float, height: float, label: Label | None) -> None:
    """All there is to say, less of it, the name in two lines, upright, smaller; or nothing."""
    assert fitted("A_shared", ["64.0 KiB, 4 versions", "64.0 KiB"], width, height, 8, measure) == label


@given(st.text("abc_", min_size=1, max_size=20), st.floats(1, 200), st.floats(1, 200))
def test_labels_stay_inside(name: str, width: float, height: float) -> None:
    """Whatever is written has room, and none of the name is lost."""
    label = fitted(name, ["1.0 KiB"], width, height, 8, measure)
    if label is None:
        return
    along = max(measure(line, label.size) for line in label.lines)
    up = LEADING * label.size * len(label.lines)
    assert (up, along) <= (width, height) if label.upright else along <= width
    assert up <= (width if label.upright else height)
    assert "".join(label.lines).removesuffix("1.0 KiB") == name


@given(st.text("ab ", max_size=60), st.integers(10, 100))
def test_wrapped_texts_lose_nothing(text: str, width: int) -> None:
    """Lines are as wide as they may be at most, and hold all words in their order."""
    lines = wrapped(text, width, 8, measure)
    assert all(measure(line, 8) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_text_is_cut_where_it_must_be() -> None:
    """Twenty points have room for four characters and the mark."""
    assert shortened("abcdefgh", 20, 8, measure) == "abcd…"
    assert shortened("abcde", 20, 8, measure) == "abcde"


@given(st.lists(st.floats(1, 30), min_size=1, max_size=20), st.floats(0, 5))
def test_ticks_do_not_touch(steps: list[float], gap: float) -> None:
    """Labels that are shown are apart, the first is always there, and the last where it touches no other."""
    centres = [sum(steps[:i]) for i in range(len(steps))]
    widths = [10.0] * len(steps)
    shown = thinned(widths, centres, gap)
    assert shown[0] == 0
    assert all(centres[b] - centres[a] >= 10 + gap for a, b in pairwise(shown))
    assert shown[-1] == len(steps) - 1 or centres[-1] - centres[shown[-1]] < 10 + gap


def test_letters_of_many_buffers() -> None:
    """As columns of a spreadsheet."""
    assert [letters(i) for i in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip


def test_letters_stand_where_nothing_is() -> None:
    """Each at its first place that is free; one that has none is left out."""
    places = [Box(x, 0, 2, 2) for x in (0, 3, 6)]
    taken = [Box(0, 0, 2, 2)]
    chosen = apart([places, places], taken)
    assert chosen == places[1:]
    assert apart([[Box(0.5, 0, 2, 2), Box(1, 0, 2, 2)], places], taken) == [None, places[1]]


@pytest.mark.parametrize(
    ("values", "width", "shown"),
    [
        (range(1, 5), 5, "1 2 3 4"),
        (range(1, 101), 90, "10 20 30 40 50 60 70 80 90 100"),
        (range(16, 2049, 16), 90, "160 320 480 640 800 960 1120 1280 1440 1600 1760 1920"),
        (range(1, 10), 15, "1 3 5 7 9"),
        ([3, 5, 9, 17, 33, 65], 15, "3 9 33"),
    ],
)
def test_ticks_are_evenly_spaced(values: Sequence[int], width: float, shown: str) -> None:
    """Every first, second, fourth, fifth, eighth or tenth of values that are 10 apart."""
    texts = list(map(str, values))
    assert " ".join(texts[i] for i in every(texts, [width] * len(texts), 10, 5)) == shown


@pytest.mark.parametrize(
    ("end", "unit"),
    [(0, "KiB"), (10 << 20, "MiB"), ((10 << 20) - 1, "KiB"), (1 << 40, "GiB"), (1 << 62, "PiB")],
)
def test_units_of_an_axis(end: int, unit: str) -> None:
    """From ten thousand of one on it is the next."""
    assert UNITS[unit_of(end)] == unit


@pytest.mark.parametrize(
    ("names", "sizes", "label"),
    [
        ("1KiB", [1024], "1KiB"),
        ("2 KiB, 2048", [2048], "2 KiB, 2048\n2.0 KiB"),
        ("20KiB", [1024], "20KiB\n1.0 KiB"),  # static bytes take the rest
        ("sm_90", [232448], "sm_90\n227.0 KiB"),
        ("10 * n", [1024, 4096], "10 * n\n1.0 KiB to 4.0 KiB"),
        ("1 KB", [1024], "1 KB\n1.0 KiB"),
    ],
)
def test_a_size_is_said_once(names: str, sizes: list[int], label: str) -> None:
    """A name that is the size, with its unit, is label enough."""
    assert size_label(names, names, sizes) == label
