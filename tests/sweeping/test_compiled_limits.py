"""Blocks per SM by steps, worked out once, against the rule itself; and which scenarios are compiled."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl import devices
from smemdsl.api import loads
from smemdsl.cli.sweep_plan import make_table, make_task
from smemdsl.judging.plan import Options
from smemdsl.sweeping.compiled.limits import of_device
from smemdsl.sweeping.compiled.loops import of_axes
from smemdsl.sweeping.compiled.program import CompiledTask, compile_task
from tests.texts import GEMM

NVIDIA = [device for device in devices.devices() if device.sm is not None]


@given(
    st.sampled_from(NVIDIA),
    st.integers(0, 300_000),
    st.sampled_from([None, 32, 100, 256, 1024, 5000]),
    st.sampled_from([None, 24, 255]),
    st.booleans(),
)
def test_blocks_by_steps(
    device: devices.Device, used: int, threads: int | None, registers: int | None, opt_in: bool
) -> None:
    """For any use of shared memory the steps name the blocks that the occupancy rule counts."""
    steps = of_device(device, threads, registers, opt_in=opt_in)
    rule = devices.blocks_per_sm(
        device, dynamic_bytes=used, threads=threads, registers=registers, opt_in=opt_in
    )
    assert steps.blocks[bisect_left(steps.most, used)] == rule.blocks


def program(text: str, largest: str | None = None, fits_only: bool = False) -> CompiledTask:
    """The compiled sweep of a scenario over its own axes."""
    task = make_task(loads(text, "f.yaml"), {}, [], [], Options(), largest)
    return compile_task(task, make_table([task], largest), of_axes(task.axes), fits_only=fits_only)


TILES = """\
smemdsl: 1
params: {block: 64, stages: 2}
buffers:
  A: {shape: [block, block], dtype: float16, versions: stages}
  B: {shape: [block, 8], dtype: float16, versions: stages}
sweep: {block: 16..64:16, stages: 1..100}
"""


@pytest.mark.parametrize(("text", "packs"), [(GEMM, True), (TILES, False)])
def test_what_is_live_throughout_is_not_packed(text: str, packs: bool) -> None:
    """Buffers that are all live at once take a known arena; any other is packed, and so validated."""
    assert ("packed(" in program(text).source) == packs


def test_bisection_needs_a_proof() -> None:
    """A long axis is bisected where more stages never take less; not where a constraint may skip some."""
    assert "bisect_left(values[1]" in program(TILES, "stages").source
    constrained = TILES + "constraints: [stages % 2 == 0]\n"
    assert "bisect_left(values[1]" not in program(constrained, "stages").source
    falling = TILES.replace("shape: [block, 8]", "shape: [block, 200 - stages]")
    assert "bisect_left(values[1]" not in program(falling, "stages").source


def test_what_cannot_fit_is_not_packed() -> None:
    """Where only what fits is wanted, the peak decides before the policy is asked."""
    source = program(GEMM, fits_only=True).source
    assert source.index("> 233472:") < source.index("packed(")
    assert "> 233472:" not in program(GEMM).source
