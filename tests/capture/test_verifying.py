"""Predicted against compiled."""

from __future__ import annotations

from smemdsl.api import loads
from smemdsl.compilers.capture import scenario
from smemdsl.compilers.capture.request import Capture, CapturedBuffer
from smemdsl.judging.verify_capture import CaptureComparison, compare
from smemdsl.output.formats.comparison import lines
from tests.capture.captures import CAPTURE, REQUEST, TILES

PLAN = loads("\n".join(scenario.explicit(CAPTURE, REQUEST))).plan()


def against(compiled: Capture) -> CaptureComparison:
    """The plan of the GEMM beside something else that was compiled."""
    return compare(compiled, PLAN)


def test_exact() -> None:
    """Equal on both sides."""
    comparison = against(CAPTURE)
    assert comparison.exact
    assert list(lines(comparison))[-1].startswith("exact: 3 buffers")


def test_every_difference_counts() -> None:
    """Arena, static bytes, offset, size and versions: each alone makes it inexact."""
    moved = TILES[2]._replace(offset=1024)
    larger = TILES[2]._replace(bytes=32784)
    fewer = TILES[0]._replace(versions=2)
    for change in (
        {"arena": 98320},
        {"static": 40},
        {"buffers": (*TILES[:2], moved)},
        {"buffers": (*TILES[:2], larger)},
        {"buffers": (fewer, *TILES[1:])},
        {"buffers": TILES[:2]},
    ):
        assert not against(CAPTURE._replace(**change)).exact, change


def test_alignment_that_no_offset_shows() -> None:
    """Another alignment at the same offset is shown, and is no difference of the arena."""
    comparison = against(CAPTURE._replace(buffers=(*TILES[:2], TILES[2]._replace(align=128))))
    assert comparison.exact
    assert "16 != 128" in "\n".join(lines(comparison))


def test_workspaces_match_by_place() -> None:
    """A buffer that has another name on each side is the same one where size and offset are equal."""
    renamed = (*TILES[:2], TILES[2]._replace(name="workspace_1"))
    assert against(CAPTURE._replace(buffers=renamed)).exact


def test_a_buffer_too_many() -> None:
    """What only the compiler has is a row of its own."""
    extra = CapturedBuffer("red", 16, 1, 16, (1, 2), 98304, None, None)
    shown = "\n".join(lines(against(CAPTURE._replace(buffers=(*TILES, extra))))).splitlines()
    assert any(line.startswith("red") and "DIFFERS" in line for line in shown)
    assert shown[-1] == "different: 1 of 4 buffers"
