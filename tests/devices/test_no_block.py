"""A kernel that fits and that no SM can run."""

from __future__ import annotations

import smemdsl


def test_too_many_threads() -> None:
    """2048 threads are more than a block may have on any device, whatever shared memory it takes."""
    verdict = smemdsl.loads("smemdsl: 1\nthreads: 2048\nbuffers: {a: {bytes: 1024}}\n").check(budget="h100")
    assert verdict.blocks_per_sm == 0
    assert "no-block" in [warning.code for warning in verdict.warnings]
