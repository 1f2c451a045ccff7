"""Lint sm-budget: a budget of the SM that no block can be granted."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

CASES = [
    ("budget: sm_90/sm\nbuffers: {a: {bytes: 8}}", ["2:9"]),  # 233472 B of the SM, 232448 B of a block
    ("budget: [sm_90, sm_80/sm]\nbuffers: {a: {bytes: 8}}", ["2:17"]),
    ("budget: sm_90\nbuffers: {a: {bytes: 8}}", []),
    ("budget: sm_75/sm\nbuffers: {a: {bytes: 8}}", []),  # 65536 B both
    ("budget: h100-sm-shared-228kb\nbuffers: {a: {bytes: 8}}", []),
    ("buffers: {a: {bytes: 8}}", []),
    ("budget: 233472\nbuffers: {a: {bytes: 8}}", []),
    ("budget: sm_90/sm\nblocks_per_sm: 1\nbuffers: {a: {bytes: 8}}", []),  # then it is what a block may take
    ("budget: sm_90/sm\nbuffers: {a: {bytes: 233000}}", []),  # the verdict says so
    ("budget: sm_90/sm\nbuffers: {a: {bytes: 300000}}", ["2:9"]),
]


@pytest.mark.parametrize(("text", "places"), CASES)
def test_places(text: str, places: list[str]) -> None:
    """It is reported where the budget stands, once, and only where no other warning says it."""
    assert found("sm-budget", text) == places
