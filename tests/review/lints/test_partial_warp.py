"""Lint partial-warp: threads that are not a whole number of warps."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

CASES = [
    ("sm_90", "128", False),
    ("sm_90", "100", True),
    ("rtx-4090", "33", True),
    ("sm_90", "32 * w", False),
    ("sm_90", "w", True),
    ("100KiB", "100", False),  # who knows what runs it
    ("gfx942", "100", False),
]


@pytest.mark.parametrize(("budget", "threads", "bad"), CASES)
def test_threads(budget: str, threads: str, bad: bool) -> None:
    """A multiple of 32 on a device of NVIDIA's; it is reported at the threads."""
    text = f"params: {{w: 3}}\nbudget: {budget}\nthreads: {threads}\nbuffers: {{a: {{bytes: 64}}}}"
    assert found("partial-warp", text) == (["4:10"] if bad else [])
