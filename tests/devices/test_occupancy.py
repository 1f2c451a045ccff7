"""Blocks per SM against NVIDIA's own calculator.

The tables in `tests/data` hold what `cuda_occupancy.h` of CUDA 13.5 answers for the properties of each
compute capability: `occupancy.csv` for dynamic memory with opt-in; `occupancy_carveout.csv` for a preferred
carve-out (-1: none); `occupancy_static.csv` for static memory beside it; `occupancy_edges.csv` for no opt-in,
too many threads or registers, partial warps, uneven warps, and no registers at all.
"""

from __future__ import annotations

import pytest

from smemdsl.core.errors import FaultError, UnknownNameError
from smemdsl.devices import Device, Occupancy, blocks_per_sm, devices, occupancy, resolve, share_of_sm
from tests.recorded import table

NVIDIA = [device for device in devices() if device.sm]
LABELS = {
    "warps": "warps",
    "registers": "registers",
    "shared_memory": "shared memory",
    "blocks": "blocks",
}


def answer(row: dict[str, str]) -> Occupancy:
    carveout = int(row.get("carveout_pct", "-1"))
    return blocks_per_sm(
        resolve(f"sm_{row['arch'].replace('.', '')}").device,
        dynamic_bytes=int(row.get("smem_per_block") or row["dynamic_smem"]),
        static_bytes=int(row.get("static_smem", "0")),
        threads=int(row["threads"]),
        registers=int(row["regs"]),
        carveout=None if carveout == -1 else carveout,
        opt_in=row.get("opt_in", "1") == "1",
    )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("occupancy", 1980),
        ("occupancy_carveout", 800),
        ("occupancy_static", 400),
        ("occupancy_edges", 232),
    ],
)
def test_blocks_as_nvidia_counts_them(name: str, count: int) -> None:
    """Every row of the table has the header's number of blocks."""
    wrong = [(row, got) for row in table(name) if (got := answer(row)).blocks != int(row["blocks_per_sm"])]
    assert len(table(name)) == count
    assert wrong == []


@pytest.mark.parametrize("name", ["occupancy", "occupancy_edges"])
def test_limiters_as_nvidia_names_them(name: str) -> None:
    """The limiters are the header's, all of them on a tie.

    The header's `barriers` is left out: with one barrier a block, it is the limit on blocks, or twice that.
    """
    wrong = []
    for row in table(name):
        expected = {LABELS[label] for label in row["limiting_factor"].split("|") if label != "barriers"}
        if set(answer(row).limiters) != expected:
            wrong.append(row)
    assert wrong == []


def test_threads_unknown() -> None:
    """Without threads only shared memory and the number of blocks count, whatever the registers."""
    device = resolve("sm_90").device
    assert blocks_per_sm(device, dynamic_bytes=0, registers=255) == Occupancy(32, ("blocks",))
    assert blocks_per_sm(device, dynamic_bytes=32768, registers=255) == Occupancy(6, ("shared memory",))


def test_registers_unknown() -> None:
    """Without registers the warps still count: 1024 threads are half of an SM's 2048."""
    device = resolve("sm_90").device
    assert blocks_per_sm(device, dynamic_bytes=0, threads=1024) == Occupancy(2, ("warps",))


@pytest.mark.parametrize("device", NVIDIA, ids=lambda device: device.id)
def test_block_limits(device: Device) -> None:
    """One byte over the opt-in limit runs nowhere; without opt-in, one byte over 48 KiB does not."""
    assert device.sm is not None
    most = device.sm.block_optin
    assert blocks_per_sm(device, dynamic_bytes=most).blocks >= 1
    assert blocks_per_sm(device, dynamic_bytes=most + 1) == Occupancy(0, ("shared memory",))
    assert blocks_per_sm(device, dynamic_bytes=48 * 1024, opt_in=False).blocks >= 1
    assert blocks_per_sm(device, dynamic_bytes=48 * 1024 + 1, opt_in=False).blocks == 0


@pytest.mark.parametrize(
    ("name", "blocks", "share"),
    [
        ("sm_90", 1, 232448),
        ("sm_90", 2, 115712),
        ("sm_90", 3, 76800),
        ("sm_86", 2, 50176),
        ("sm_75", 3, 21760),
        ("sm_61", 32, 3072),
    ],
)
def test_share_of_sm(name: str, blocks: int, share: int) -> None:
    """floor(SM / n down to the granularity) - reserved, worked out by hand: 233472 / 2 - 1024 = 115712."""
    assert share_of_sm(resolve(name).device, blocks) == share


@pytest.mark.parametrize("device", NVIDIA, ids=lambda device: device.id)
def test_share_is_the_most(device: Device) -> None:
    """A block of exactly the share lets n run, unless one block's limit is below it; a byte more does not."""
    assert device.sm is not None
    for blocks in range(1, device.sm.max_blocks + 1):
        share = share_of_sm(device, blocks)
        if share <= device.sm.block_optin:
            assert blocks_per_sm(device, dynamic_bytes=share).blocks >= blocks
            assert blocks_per_sm(device, dynamic_bytes=share + 1).blocks < blocks


@pytest.mark.parametrize("blocks", [0, -1, 33])
def test_share_of_too_many(blocks: int) -> None:
    """A number of blocks that an SM never runs is a fault at `blocks_per_sm` that says how many it runs."""
    with pytest.raises(FaultError, match="sm_90 runs 1 to 32 blocks") as caught:
        share_of_sm(resolve("sm_90").device, blocks)
    assert [fault.where for fault in caught.value.faults] == [("blocks_per_sm",)]


@pytest.mark.parametrize("name", ["gfx942", "pvc", "apple_metal", "ascend910b-ub"])
def test_no_rule(name: str) -> None:
    """For other vendors no rule is known, and none is made up."""
    device = resolve(name).device
    with pytest.raises(FaultError, match=f"not for {device.id}"):
        blocks_per_sm(device, dynamic_bytes=1024)
    with pytest.raises(FaultError, match=f"not for {device.id}"):
        share_of_sm(device, 1)


def test_bad_arguments_are_all_named() -> None:
    """Every argument out of its range is reported, at its own name."""
    with pytest.raises(FaultError) as caught:
        blocks_per_sm(
            resolve("sm_90").device,
            dynamic_bytes=-1,
            static_bytes=-1,
            threads=0,
            registers=-1,
            carveout=101,
        )
    names = ["dynamic_bytes", "static_bytes", "threads", "registers", "carveout"]
    assert [fault.where for fault in caught.value.faults] == [(name,) for name in names]


def test_by_name() -> None:
    """The library's `occupancy` takes any name of a device, and `/static` forgoes opt-in."""
    by_name = occupancy("H100", dynamic_bytes=65536, static_bytes=64, threads=128, registers=32)
    assert by_name == 3
    assert occupancy("sm_90/static", dynamic_bytes=65536) == 0
    assert occupancy("sm_90/static", dynamic_bytes=65536, opt_in=True) == 3
    with pytest.raises(UnknownNameError):
        occupancy("h1000x", dynamic_bytes=0)
