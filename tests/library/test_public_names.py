"""What the library shows of itself: its names, and a verdict with everything that json has."""

from __future__ import annotations

import json

import pytest

import smemdsl
from smemdsl.core.buffers import PlacedBuffer
from smemdsl.judging.result import Report, Result, summarize
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.json import check, pack

ELSEWHERE = {
    "path": "scenario",
    "buffers": "layout",
    "static_buffers": "plan",
    "peak": "plan",
    "storage_groups": "plan",
    "hand_overs": "plan",
    "loops": "plan",
    "blocks_limited_by": "occupancy",
    "blocks_steps": "occupancy",
}
"""Keys of json that a verdict has under another name, or that follow from one."""


def results(verdict: Verdict, command: str) -> dict[str, object]:
    """What json has of a verdict."""
    result = Result("f.yaml", verdict)
    report = Report(command, (result,), (), summarize([result], 0))
    text = "".join({"check": check, "pack": pack}[command](report))
    found: dict[str, object] = json.loads(text)["results"][0]
    return found


def test_dir() -> None:
    """Names that are loaded on first use are listed before; every one is there, and documented."""
    assert set(smemdsl.__all__) <= set(dir(smemdsl))
    for name in smemdsl.__all__:
        assert getattr(smemdsl, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        smemdsl.lod  # noqa: B018


@pytest.mark.parametrize("command", ["check", "pack"])
@pytest.mark.parametrize(
    "text",
    [
        "budget: sm_90\nrequest: 4096\nbuffers: {A: {bytes: 1024, versions: 2}}\n",
        "policy: optimal\nfill: {n: 1..3}\nparams: {n: 1, d: int8}\nbuffers: {A: {shape: [n], dtype: d}}\n",
        "budget: 10\nexpect: {fits: false}\nbuffers: {A: {bytes: 1024}}\n",
    ],
)
def test_a_verdict_has_what_json_has(text: str, command: str) -> None:
    """Under the same names, with the same values."""
    (verdict,) = smemdsl.loads(f"smemdsl: 1\n{text}").own_verdicts()
    found = results(verdict, command)
    for key, value in found.items():
        if key == "budget":
            assert value == {"name": verdict.budget.name, "bytes": verdict.budget.bytes}
        elif key in ELSEWHERE:
            assert hasattr(verdict, ELSEWHERE[key])
        else:
            assert getattr(verdict, key) == value
    if command == "pack":
        layout = [placed._asdict() | {"live": list(placed.live or ())} for placed in verdict.layout]
        assert layout == found["buffers"]


def test_layout() -> None:
    """By hand: B is live where A is, C is not and takes its place."""
    scenario = smemdsl.loads(
        """
smemdsl: 1
align: 16
buffers:
  A: {bytes: 100, versions: 3, live: [0, 2]}
  B: {bytes: 64, live: [1, 4], align: 64}
  C: {bytes: 10, live: [2, 3]}
"""
    )
    assert scenario.check().layout == (
        PlacedBuffer("A", 3, 300, 16, (0, 2), 0),
        PlacedBuffer("B", 1, 64, 64, (1, 4), 320),
        PlacedBuffer("C", 1, 10, 16, (2, 3), 0),
    )
    verdict = scenario.check()
    assert (verdict.no_reuse_bytes, verdict.peak_bytes, verdict.arena_bytes) == (374, 364, 384)
