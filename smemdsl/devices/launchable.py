"""What keeps every block of a kernel from running on a device: OK means that it can be launched."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.core.confidence import Uncertainty, approximate
from smemdsl.devices.launch import Launch
from smemdsl.devices.model import Device, Preset
from smemdsl.devices.occupancy import register_limit, warp_limit

BUDGET, OPT_IN, STATIC = "budget", "opt-in", "static"
THREADS, REGISTERS, CLUSTER = "threads", "registers", "cluster"
LIMITS = (BUDGET, OPT_IN, STATIC, THREADS, REGISTERS, CLUSTER)
"""What may be in the way, in the order in which it is looked for; the first is named."""
PORTABLE = 8
"""Blocks of a cluster that every device with clusters runs, and so the SMs of one GPC that a cluster can
count on (CUDA Programming Guide, Thread Block Clusters)."""


class Obstacle(NamedTuple):
    """Why no block can run."""

    limit: str
    """One of `LIMITS`."""
    text: str
    """The limit and what is asked of it, as a clause."""
    uncertain: tuple[Uncertainty, ...] = ()
    """Why that may yet be wrong."""


def of_block(preset: Preset, launch: Launch, *, architecture_specific: bool = False) -> Obstacle | None:
    """What keeps a block from being launched, whatever the budget; None where nothing is known to.

    Args:
        preset: The device.
        launch: What a block asks for.
        architecture_specific: The kernel is compiled for a target such as `sm_90a`, where ptxas takes larger
            static arrays.
    """
    device, used = preset.device, launch.dynamic_bytes + launch.static_bytes
    if used > preset.block_bytes:
        kind = "opt-in limit" if device.sm is not None else "limit of one block"
        return Obstacle(OPT_IN, f"the {kind} of {device.id} is {preset.block_bytes} B, not {used} B")
    most = static_limit(device, architecture_specific=architecture_specific)
    if most is not None and launch.static_bytes > most:
        text = f"{device.id} allows at most {most} B of static shared memory"
        return Obstacle(STATIC, f"{text}, not {launch.static_bytes} B")
    return of_threads(device, launch.threads, launch.registers)


def is_architecture_specific(target: str) -> bool:
    """Whether a target is that of one architecture alone: `sm_90a`."""
    return target.strip().lower().endswith("a") and "sm" in target.lower()


def static_limit(device: Device, *, architecture_specific: bool) -> int | None:
    """Most static bytes that a kernel can declare; None where that is not known."""
    special = device.fact("static_max_bytes_arch_specific_a_target") if architecture_specific else None
    if special is not None and isinstance(special.value, int):
        return special.value
    return None if device.sm is None else device.sm.block_default


def of_threads(device: Device, threads: int | None, registers: int | None) -> Obstacle | None:
    """Whether a block has too many threads, or they too many registers."""
    sm, launch = device.sm, Launch(0, threads=threads, registers=registers)
    if sm is None or threads is None:
        return None
    if warp_limit(sm, launch) == 0:
        return Obstacle(
            THREADS, f"{device.id} allows at most {sm.max_threads_per_block} threads per block, not {threads}"
        )
    if register_limit(sm, launch) == 0:
        text = f"{threads} threads with {registers} registers each do not go into the registers of"
        each = f"{sm.registers_per_block} a block, {sm.registers_per_thread} a thread"
        return Obstacle(REGISTERS, f"{text} {device.id}: {each}")
    return None


def of_cluster(device: Device, cluster: int, blocks: int | None) -> Obstacle | None:
    """Whether the blocks of a cluster cannot run at the same time.

    They run on SMs of one GPC (CUDA Programming Guide). A cluster of `PORTABLE` blocks runs on every device
    that has clusters, so that many SMs are there; how many more one GPC of a product has, no source says.

    Args:
        device: Where it runs.
        cluster: Blocks of a cluster.
        blocks: Blocks that run on one SM, where that is known.
    """
    if cluster <= 1:
        return None
    if device.sm is None or blocks is None:
        doubt = approximate(f"what clusters {device.id} runs is not known")
        return Obstacle(CLUSTER, f"a cluster of {cluster} blocks on {device.id}", (doubt,))
    most = device.sm.max_cluster
    if cluster > most:
        able = f"runs clusters of {most} blocks at most, not {cluster}" if most else "has no clusters"
        return Obstacle(CLUSTER, f"{device.id} {able}")
    needed = -(-cluster // max(1, blocks))
    if needed <= PORTABLE:
        return None
    each = f"{blocks} {'block' if blocks == 1 else 'blocks'}"
    text = f"a cluster of {cluster} blocks, {each} an SM, needs {needed} SMs of a GPC; {PORTABLE} are sure"
    doubt = approximate(f"no source says how many SMs a GPC of {device.id} has for one cluster")
    return Obstacle(CLUSTER, text, (doubt,))
