"""Blocks per SM of a device given by name, for users of the library."""

from __future__ import annotations

from smemdsl.devices.names import resolve
from smemdsl.devices.occupancy import blocks_per_sm


def occupancy(
    device: str,
    *,
    dynamic_bytes: int,
    static_bytes: int = 0,
    threads: int | None = None,
    registers: int | None = None,
    carveout: int | None = None,
    opt_in: bool | None = None,
) -> int:
    """How many blocks run on one SM of the device.

        >>> occupancy("sm_90", dynamic_bytes=65536, threads=128, registers=32)
        3

    `blocks_per_sm` also tells what limits them.

    Args:
        device: A preset's name, as `resolve` takes it: `sm_90`, `h100`, `sm_90/static`.
        dynamic_bytes: Shared memory that the launch asks for.
        static_bytes: Shared memory that the kernel declares.
        threads: Threads of a block; without it neither warps nor registers count.
        registers: Registers of a thread.
        carveout: Preferred share of shared memory, in percent; None: no preference.
        opt_in: Whether the kernel may use more than 48 KiB; None: yes, but for a `/static` preset.

    Raises:
        UnknownNameError: no such device.
        FaultError: no occupancy rule is known for it, or an argument is out of its range.
    """
    preset = resolve(device)
    return blocks_per_sm(
        preset.device,
        dynamic_bytes=dynamic_bytes,
        static_bytes=static_bytes,
        threads=threads,
        registers=registers,
        carveout=carveout,
        opt_in=preset.opt_in if opt_in is None else opt_in,
    ).blocks
