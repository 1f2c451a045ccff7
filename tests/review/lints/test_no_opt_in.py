"""Lint no-opt-in: over 48 KiB without the opt-in."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

CASES = [
    ("budget: sm_90\nstatic: 49153\nbuffers: {a: {bytes: 8}}", ["3:9"]),
    ("budget: sm_90\nstatic: 49152\nbuffers: {a: {bytes: 8}}", []),
    ("budget: sm_90\nstatic: 48 KiB\nbuffers: {a: {bytes: 8, scope: static}}", ["3:9"]),
    ("budget: sm_90\nbuffers: {a: {bytes: 64 KiB}}", []),  # dynamic memory can be opted in to
    ("budget: sm_90/static\nbuffers: {a: {bytes: 49152}}", []),
    ("budget: sm_90/static\nbuffers: {a: {bytes: 49153}}", ["2:9"]),
    ("budget: sm_90/static\nbuffers: {a: {bytes: 232449}}", []),  # the opt-in would not help
    ("budget: 48 KiB\nbuffers: {a: {bytes: 64 KiB}}", []),
    ("budget: gfx942\nstatic: 50 KiB\nbuffers: {a: {bytes: 8}}", []),  # AMD has no such limit
]


@pytest.mark.parametrize(("text", "places"), CASES)
def test_places(text: str, places: list[str]) -> None:
    """It is reported at the static bytes, or at the budget that only the opt-in would meet."""
    assert found("no-opt-in", text) == places
