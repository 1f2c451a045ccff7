"""Bytes to the next block, against counting byte by byte."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.core.errors import FaultError
from smemdsl.devices import Device, OccupancyCliffs, blocks_per_sm, devices, occupancy_cliffs, resolve
from tests.effort import examples

NVIDIA = [device for device in devices() if device.sm]


@settings(max_examples=examples(300), deadline=None)
@given(
    device=st.sampled_from(NVIDIA),
    size=st.integers(0, 340_000),
    static=st.sampled_from([0, 0, 8, 1000, 20_000]),
    threads=st.sampled_from([None, 32, 128, 384, 1024, 1025]),
    registers=st.sampled_from([None, 24, 64, 168, 255]),
    carveout=st.sampled_from([None, None, 0, 10, 50, 75, 100]),
    opt_in=st.booleans(),
)
def test_steps_are_the_first_change(
    device: Device,
    size: int,
    static: int,
    threads: int | None,
    registers: int | None,
    carveout: int | None,
    opt_in: bool,
) -> None:
    """`fewer` is the first saving that gains a block and `more` the first growth that costs one.

    Blocks never rise with the size (`test_never_more_blocks_for_more_bytes`), so it is enough to look at both
    sides of each change and, where there is none, at the far end.
    """
    count = partial(
        blocks_per_sm,
        device,
        static_bytes=static,
        threads=threads,
        registers=registers,
        carveout=carveout,
        opt_in=opt_in,
    )
    fewer, more = occupancy_cliffs(
        device,
        dynamic_bytes=size,
        static_bytes=static,
        threads=threads,
        registers=registers,
        carveout=carveout,
        opt_in=opt_in,
    )

    def blocks(dynamic: int) -> int:
        return count(dynamic_bytes=dynamic).blocks

    now = blocks(size)
    if fewer is None:
        assert blocks(0) <= now
    else:
        assert 1 <= fewer <= size
        assert blocks(size - fewer) > now == blocks(size - fewer + 1)
    if more is None:
        assert now == 0
    else:
        assert more >= 1
        assert blocks(size + more) < now == blocks(size + more - 1)


@pytest.mark.parametrize("carveout", [None, 0, 10, 50])
@pytest.mark.parametrize("device", NVIDIA, ids=lambda device: device.id)
def test_never_more_blocks_for_more_bytes(device: Device, carveout: int | None) -> None:
    """A larger block never runs more often, even where it forces a larger carve-out."""
    assert device.sm is not None
    count = partial(blocks_per_sm, device, carveout=carveout)
    sizes = range(0, device.sm.block_optin + 256, device.sm.granularity)
    counts = [count(dynamic_bytes=size).blocks for size in sizes]
    assert counts == sorted(counts, reverse=True)


def test_by_hand_on_sm_90() -> None:
    """One block of 131072 B: two fit from 115712 B down, 15360 less; none from 232449 B up, 101377 more."""
    assert occupancy_cliffs(resolve("sm_90").device, dynamic_bytes=131072) == OccupancyCliffs(15360, 101377)


def test_nothing_to_gain() -> None:
    """Where registers allow no second block, no saving of memory helps; growing still costs the first."""
    device = resolve("sm_90").device
    tight = occupancy_cliffs(device, dynamic_bytes=131072, threads=512, registers=128)
    assert tight == OccupancyCliffs(None, 101377)


def test_static_bytes_alone_are_too_much() -> None:
    """Where the static bytes alone exceed the limit, no saving of dynamic bytes lets a block run."""
    assert occupancy_cliffs(
        resolve("sm_86").device, dynamic_bytes=10, static_bytes=101377
    ) == OccupancyCliffs(None, None)


def test_errors_are_those_of_blocks_per_sm() -> None:
    """A device without a rule and an argument out of range are faults here too."""
    with pytest.raises(FaultError, match="not for gfx942"):
        occupancy_cliffs(resolve("gfx942").device, dynamic_bytes=0)
    with pytest.raises(FaultError, match="dynamic_bytes is -1"):
        occupancy_cliffs(resolve("sm_90").device, dynamic_bytes=-1)
