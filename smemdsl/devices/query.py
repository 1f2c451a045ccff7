"""Blocks per SM of a device given by name, for users of the library."""

from __future__ import annotations

from typing import Any

from smemdsl.core.arguments import integer, kind, text
from smemdsl.core.errors import ArgumentTypeError
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
        ArgumentError: an argument is of the wrong type.
        UnknownNameError: no such device.
        FaultError: no occupancy rule is known for it, or an argument is out of its range.
    """
    preset = resolve(text("device", device, "the name of a device (a str)"))
    if opt_in is not None and not isinstance(opt_in, bool):
        raise ArgumentTypeError(f"opt_in must be True, False or None, not {kind(opt_in)}")
    return blocks_per_sm(
        preset.device,
        dynamic_bytes=integer("dynamic_bytes", dynamic_bytes),
        static_bytes=integer("static_bytes", static_bytes),
        threads=_integer_or_none("threads", threads),
        registers=_integer_or_none("registers", registers),
        carveout=_integer_or_none("carveout", carveout),
        opt_in=preset.opt_in if opt_in is None else opt_in,
    ).blocks


def _integer_or_none(name: str, value: Any) -> int | None:
    return None if value is None else integer(name, value, "an integer or None")
