"""Agreement with an independent solver on instances that are too large for every order."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.optimal.exhaustive import small
from benchmarks.optimal.solver import solved
from smemdsl.packing.optimal import place

pytest.importorskip(
    "ortools.sat.python.cp_model", reason="OR-tools is not installed: nothing to compare the least arena with"
)


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6, 7, 8, 9])
def test_agrees_with_cp_sat(seed: int) -> None:
    """Five instances a seed of up to 15 buffers: both prove the same least arena."""
    random = Random(seed)
    for _ in range(5):
        buffers = small(random, 15)
        packing = place(buffers, 16, time_limit=60.0)
        assert packing.proved
        assert packing.arena == solved(buffers), buffers
