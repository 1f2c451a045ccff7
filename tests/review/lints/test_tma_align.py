"""Lint tma-align: a default alignment finer than TMA needs, beside `swizzle`."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

A = "A: {shape: [8, 64], dtype: float16, swizzle: 128B}"
CASES = [
    (f"budget: sm_90\nalign: 64\nbuffers: {{{A}, B: {{bytes: 8}}}}", ["3:1"]),
    (f"budget: sm_100\nalign: 16\nbuffers: {{{A}, B: {{bytes: 8}}}}", ["3:1"]),
    (f"budget: sm_90\nalign: 128\nbuffers: {{{A}, B: {{bytes: 8}}}}", []),
    (f"budget: sm_90\nbuffers: {{{A}, B: {{bytes: 8}}}}", []),  # 128 is the default
    (f"budget: sm_80\nalign: 16\nbuffers: {{{A}, B: {{bytes: 8}}}}", []),  # no TMA
    (f"budget: [sm_80, sm_90]\nalign: 16\nbuffers: {{{A}, B: {{bytes: 8}}}}", ["3:1"]),
    (f"budget: gfx942\nalign: 16\nbuffers: {{{A}, B: {{bytes: 8}}}}", []),
    (f"budget: sm_90\nalign: 16\nbuffers: {{{A}}}", []),  # the default is nobody's
    (f"budget: sm_90\nalign: 16\nbuffers: {{{A}, B: {{bytes: 8, align: 16}}}}", []),
    (f"budget: sm_90\nalign: 16\nbuffers: {{{A}, B: {{bytes: 8, scope: static}}}}", []),
    ("budget: sm_90\nalign: 16\nbuffers: {A: {bytes: 8}}", []),
]


@pytest.mark.parametrize(("text", "places"), CASES)
def test_places(text: str, places: list[str]) -> None:
    """It is reported at `align`, on devices with TMA, where a buffer takes the default."""
    assert found("tma-align", text) == places
