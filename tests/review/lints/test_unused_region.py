"""Lint unused-region: a region of the timeline that no buffer is touched in."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

CASES = [
    ("timeline: [load, mma]\nbuffers: {a: {bytes: 8, access: [load]}}", ["2:18"]),
    ("timeline: [load, mma]\nbuffers: {a: {bytes: 8, access: [load, mma]}}", []),
    (
        "timeline: [load, mma]\nbuffers: {a: {bytes: 8, access: [load]}, b: {bytes: 8, access: {mma: [0]}}}",
        [],
    ),
    (
        "timeline:\n- region: load\n- {statements: 2, region: mma}\nbuffers: {a: {bytes: 8, access: [load]}}",
        ["4:27"],
    ),
    ("timeline: [load, mma]\nbuffers: {a: {bytes: 8, live: [0, 2]}}", []),  # lives are given in slots
    ("timeline: [load, mma]\nbuffers: {a: {bytes: 8}}", []),
    (
        "timeline: [r, s]\nbuffers: {a: {bytes: 8, access: [r]}, b: {bytes: 8, access: [s], when: false}}",
        [],
    ),
]


@pytest.mark.parametrize(("text", "places"), CASES)
def test_places(text: str, places: list[str]) -> None:
    """It is reported at the region's name, in files whose buffers say what touches them."""
    assert found("unused-region", text) == places
