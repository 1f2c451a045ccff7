"""The score of a capture, and the page."""

from __future__ import annotations

import re
from typing import Any

from benchmarks.conformance.report import page
from benchmarks.conformance.scoring import scores
from smemdsl.compilers.capture.request import Capture
from tests.capture.captures import CAPTURE, PROGRAM, TILES


def kernel(found: Capture, **more: Any) -> dict[str, Any]:
    """What the worker says of one kernel."""
    return {"name": "main", "capture": found.to_json(), "loops": [], "full": found.program, **more}


def test_exact() -> None:
    """A kernel whose both forms pack as compiled has every mark and no reason."""
    (score,) = scores("gemm.py", "sm_90a", [kernel(CAPTURE)])
    assert (
        score.explicit and score.written and score.versions and score.arena and score.offsets and score.static
    )
    assert (score.reason, score.failure, score.buffers) == ("", "", 3)


def test_planning_arrays() -> None:
    """Only a loop whose stages and order numbers are all the compiler's counts as planned."""
    target = CAPTURE._replace(target="sm_80", program={**PROGRAM, "static": 0})
    right = {"loop": "k", "stages": [0, 0, 2], "order": [0, 1, 2]}
    wrong = {"loop": "k", "stages": [0, 0, 3], "order": [0, 1, 2]}
    found = scores("gemm.py", "sm_80", [kernel(target, loops=[loop]) for loop in (right, wrong)])
    assert [(score.loops, score.planned) for score in found] == [(1, 1), (1, 0)]


def test_every_miss_is_on_the_page() -> None:
    """A moved buffer, no program form, no compilation: each is named, with why."""
    moved = CAPTURE._replace(buffers=(*TILES[:2], TILES[2]._replace(offset=1024)))
    kernels = [
        kernel(CAPTURE),
        kernel(moved),
        kernel(CAPTURE._replace(program=None, doubts=("sparse operands",))),
        {
            "name": "k",
            "error": {"code": "capture-compile", "message": "no such thing in /usr/lib/x.so", "hint": ""},
        },
    ]
    found = list(scores("gemm.py", "sm_90a", kernels))
    text = page(found, ("sm_80", "sm_90a"), "somewhere", "TileLang", 1, ["`a.py`: nothing"])
    assert "| kernels tried " in text
    assert re.search(r"\|\s+\| +sm_80 \| +sm_90a \|", text)
    assert "2 of 3 (66.7 %)" in text
    assert "C_s differ" in text
    assert "sparse operands" in text
    assert "no such thing in x.so" in text
    assert "1 files compile nothing" in text
