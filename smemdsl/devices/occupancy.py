"""How many blocks run on one SM, by the rule of NVIDIA's `cuda_occupancy.h` (source OCC of the data file).

    alloc = round_up(static + dynamic + reserved, granularity)
    blocks = min(shared memory // alloc, warps an SM holds // warps, registers, most blocks)

One barrier a block is assumed, as the header does by default; that limit is never below the limit on blocks.
"""

from typing import NamedTuple

from smemdsl.core.errors import Fault, FaultError
from smemdsl.devices.launch import Launch, check_launch, sm_limits
from smemdsl.devices.model import WARP, Device, SmLimits

_UNLIMITED = 1 << 62
_REGISTER_UNIT = 256
"""Registers are handed to a warp in multiples of this (OCC)."""


class Occupancy(NamedTuple):
    """Blocks of one kernel that run on one SM at the same time."""

    blocks: int
    limiters: tuple[str, ...]
    """What allows no more: `shared memory`, `warps`, `registers`, `blocks`; several where they tie."""


def blocks_per_sm(
    device: Device,
    *,
    dynamic_bytes: int,
    static_bytes: int = 0,
    threads: int | None = None,
    registers: int | None = None,
    carveout: int | None = None,
    opt_in: bool = True,
) -> Occupancy:
    """Blocks that run on one SM of the device.

    Args:
        device: An NVIDIA device.
        dynamic_bytes: Shared memory that the launch asks for.
        static_bytes: Shared memory that the kernel declares.
        threads: Threads of a block; without it neither warps nor registers count.
        registers: Registers of a thread; 0 or None: they do not count.
        carveout: Preferred share of shared memory in percent, 0 to 100, as in
            `cudaFuncAttributePreferredSharedMemoryCarveout`; None: no preference, all that the SM has.
            Without effect where shared memory is apart from L1 (before 7.0).
        opt_in: Whether the kernel may use more than the default limit of 48 KiB.

    Raises:
        FaultError: no occupancy rule is known for the device, or an argument is out of its range.
    """
    sm = sm_limits(device)
    launch = Launch(dynamic_bytes, static_bytes, threads, registers, carveout, opt_in)
    check_launch(launch)
    limits = {
        "shared memory": shared_memory_limit(sm, allocation(sm, dynamic_bytes + static_bytes), launch),
        "warps": warp_limit(sm, launch),
        "registers": register_limit(sm, launch),
        "blocks": sm.max_blocks,
    }
    blocks = min(limits.values())
    return Occupancy(blocks, tuple(name for name, limit in limits.items() if limit == blocks))


def share_of_sm(device: Device, blocks: int) -> int:
    """Most shared memory, static and dynamic, that a block may take so that `blocks` of them run on an SM.

    The SM's memory divided by the number, down to the granularity, less what the driver reserves; 2 on sm_90:
    233472 / 2 - 1024 = 115712. The limit of one block is not applied.

    Raises:
        FaultError: no occupancy rule is known for the device, or it never runs that many blocks.
    """
    sm = sm_limits(device)
    if not 1 <= blocks <= sm.max_blocks:
        message = f"{device.id} runs 1 to {sm.max_blocks} blocks on an SM, not {blocks}"
        raise FaultError([Fault(("blocks_per_sm",), "blocks-per-sm", message)])
    return sm.smem_per_sm // blocks // sm.granularity * sm.granularity - sm.reserved


def allocation(sm: SmLimits, used: int) -> int:
    """Bytes of the SM that a block of `used` bytes takes: with the reserved ones, up to the granularity."""
    return -(-(used + sm.reserved) // sm.granularity) * sm.granularity


def shared_memory_limit(sm: SmLimits, alloc: int, launch: Launch) -> int:
    """Blocks that shared memory allows when each takes `alloc` bytes of the SM."""
    if alloc > largest_allocation(sm, launch):
        return 0
    if alloc == 0:
        return _UNLIMITED
    return next(capacity for capacity in capacities(sm, launch) if capacity >= alloc) // alloc


def largest_allocation(sm: SmLimits, launch: Launch) -> int:
    """Most bytes of the SM that one block may take."""
    return (sm.block_optin if launch.opt_in else sm.block_default) + sm.reserved


def capacities(sm: SmLimits, launch: Launch) -> tuple[int, ...]:
    """Sizes that shared memory may be configured to: the preferred one, then those that a large block forces.

    The preferred one is the smallest step not below that percentage of the SM's memory, in whole bytes.
    """
    if launch.carveout is None or not sm.carveouts:
        return (sm.smem_per_sm,)
    preferred = sm.smem_per_sm * launch.carveout // 100
    return tuple(step for step in sm.carveouts if step >= preferred)


def warp_limit(sm: SmLimits, launch: Launch) -> int:
    """Blocks that threads allow; 0 where a block has too many of them."""
    if launch.threads is None:
        return _UNLIMITED
    if launch.threads > sm.max_threads_per_block:
        return 0
    return sm.max_threads // WARP // _warps(launch.threads)


def register_limit(sm: SmLimits, launch: Launch) -> int:
    """Blocks that registers allow: they go to whole warps, from the partition that the warp runs in."""
    if launch.threads is None or not launch.registers:
        return _UNLIMITED
    warps = _warps(launch.threads)
    of_warp = -(-launch.registers * WARP // _REGISTER_UNIT) * _REGISTER_UNIT
    spread = (
        -(-warps // sm.partitions) * sm.partitions
    )  # the hardware's check assumes every partition is used
    if of_warp * spread > sm.registers_per_block or launch.registers > sm.registers_per_thread:
        return 0
    return sm.registers // sm.partitions // of_warp * sm.partitions // warps


def non_memory_limit(sm: SmLimits, launch: Launch) -> int:
    """Blocks that everything but shared memory allows."""
    return min(warp_limit(sm, launch), register_limit(sm, launch), sm.max_blocks)


def _warps(threads: int) -> int:
    return -(-threads // WARP)
