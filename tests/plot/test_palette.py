"""Colours: readable, and apart on a grey print."""

from __future__ import annotations

from itertools import pairwise

import pytest

from smemdsl.output.plotting.palette import BAND, FILLS, INK, fill_of, ink_on, luminance


def contrast(one: str, other: str) -> float:
    """Contrast of two colours as WCAG 2.2 has it: 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_luminance_is_that_of_the_standard() -> None:
    """Black, white, and the primaries with the weights of the definition."""
    assert [luminance(colour) for colour in ("#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff")] == (
        pytest.approx([0, 1, 0.2126, 0.7152, 0.0722])
    )


@pytest.mark.parametrize("fill", [*FILLS, BAND])
def test_ink_can_be_read_on_every_fill(fill: str) -> None:
    """At the enhanced level of WCAG, 7 to 1."""
    assert contrast(INK, fill) >= 7


def test_neighbours_differ_in_grey() -> None:
    """Buffers that follow each other in the file have fills of different luminance."""
    assert all(contrast(one, other) > 1.15 for one, other in pairwise([*FILLS, FILLS[0]]))
    assert len(set(FILLS)) == len(FILLS)
    assert fill_of(len(FILLS)) == FILLS[0]


@pytest.mark.parametrize(
    ("colour", "ink"), [("#000000", "#ffffff"), ("#ffffff", INK), ("#00224e", "#ffffff")]
)
def test_numbers_on_a_heat_map(colour: str, ink: str) -> None:
    """Light on dark, dark on light."""
    assert ink_on(colour) == ink
