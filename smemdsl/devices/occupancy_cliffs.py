"""How far a kernel is from one block more, or one less, on an SM."""

from typing import NamedTuple

from smemdsl.devices.launch import Launch, check_launch, sm_limits
from smemdsl.devices.model import Device, SmLimits
from smemdsl.devices.occupancy import (
    allocation,
    capacities,
    largest_allocation,
    non_memory_limit,
    shared_memory_limit,
)


class OccupancyCliffs(NamedTuple):
    """Bytes of dynamic shared memory to the next change of blocks per SM."""

    fewer: int | None
    """Least saving that lets at least one more block run; None where no saving does."""
    more: int | None
    """Least growth that leaves fewer blocks; None where there are none already."""


def occupancy_cliffs(
    device: Device,
    *,
    dynamic_bytes: int,
    static_bytes: int = 0,
    threads: int | None = None,
    registers: int | None = None,
    carveout: int | None = None,
    opt_in: bool = True,
) -> OccupancyCliffs:
    """The nearest changes of `blocks_per_sm`, whose arguments and errors these are.

    Allocation granularity, the reserved bytes, the carve-out and the limit of one block are all in it.
    """
    sm = sm_limits(device)
    launch = Launch(dynamic_bytes, static_bytes, threads, registers, carveout, opt_in)
    check_launch(launch)
    ceiling = non_memory_limit(sm, launch)
    by_memory = _blocks(sm, launch)
    blocks = min(by_memory, ceiling)
    better = _largest_dynamic(sm, launch, blocks + 1) if by_memory < ceiling else None
    same = _largest_dynamic(sm, launch, blocks) if blocks else None
    return OccupancyCliffs(
        fewer=None if better is None else dynamic_bytes - better,
        more=None if same is None else same + 1 - dynamic_bytes,
    )


def _blocks(sm: SmLimits, launch: Launch) -> int:
    used = launch.dynamic_bytes + launch.static_bytes
    return shared_memory_limit(sm, allocation(sm, used), launch)


def _largest_dynamic(sm: SmLimits, launch: Launch, blocks: int) -> int | None:
    """Most dynamic bytes with which shared memory still allows that many blocks.

    The answer lies at a whole share of some size that shared memory can be configured to.
    """
    shares = (min(capacity // blocks, largest_allocation(sm, launch)) for capacity in capacities(sm, launch))
    allocs = (share // sm.granularity * sm.granularity for share in shares)
    fits = [alloc for alloc in allocs if shared_memory_limit(sm, alloc, launch) >= blocks]
    dynamic = max(fits, default=0) - sm.reserved - launch.static_bytes
    return dynamic if fits and dynamic >= 0 else None
