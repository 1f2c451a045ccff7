"""Lint occupancy-step: one block less runs, for less than 2 KiB."""

from __future__ import annotations

import pytest

from smemdsl.api import loads
from smemdsl.rules.lints import lint
from tests.review.lints.linting import found

CASES = [
    # 2 blocks of sm_90 take 115712 B each at most: 233472 / 2 - 1024
    ("budget: sm_90\nbuffers: {a: {bytes: 115712}}", []),
    ("budget: sm_90\nbuffers: {a: {bytes: 115713}}", ["2:9"]),
    ("budget: sm_90\nbuffers: {a: {bytes: 115712 + 2047}}", ["2:9"]),
    ("budget: sm_90\nbuffers: {a: {bytes: 115712 + 2048}}", []),
    ("budget: [1 MiB, sm_90]\nbuffers: {a: {bytes: 115713}}", ["2:17"]),
    ("budget: [sm_80, sm_90]\nbuffers: {a: {bytes: 115713}}", ["2:17"]),
    ("budget: sm_90\nbuffers: {a: {bytes: 232449}}", []),  # over: the verdict says so
    ("budget: 115713\nbuffers: {a: {bytes: 115713}}\nexpect: {devices: {sm_90: {fits: true}}}", ["4:19"]),
    # with 1024 threads only 2 blocks run whatever the memory
    ("budget: sm_90\nthreads: 1024\nbuffers: {a: {bytes: 76801}}", []),
]


@pytest.mark.parametrize(("text", "places"), CASES)
def test_places(text: str, places: list[str]) -> None:
    """It is reported at the budget, above the step by 1 to 2047 B, where shared memory is what limits."""
    assert found("occupancy-step", text) == places


def test_no_line_is_shown_where_the_file_has_none() -> None:
    """Without a budget an SM of sm_90 is judged by: no line says so, and no caret points at one."""
    scenario = loads("smemdsl: 1\nbuffers: {a: {bytes: 115713}}\n", "k.yaml")
    faults = [fault for fault in lint(scenario, scenario.own_verdicts()) if fault.code == "occupancy-step"]
    (told,) = scenario.diagnose(faults)
    assert (told.line, told.source) == (1, "")
