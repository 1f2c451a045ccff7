"""What a kernel launch asks of an SM, and whether it can be asked."""

from typing import NamedTuple

from smemdsl.core.errors import Fault, FaultError
from smemdsl.devices.model import Device, SmLimits


class Launch(NamedTuple):
    """The arguments of `blocks_per_sm`, which describes them."""

    dynamic_bytes: int
    static_bytes: int = 0
    threads: int | None = None
    registers: int | None = None
    carveout: int | None = None
    opt_in: bool = True


def sm_limits(device: Device) -> SmLimits:
    """What the occupancy rule needs of the device.

    Raises:
        FaultError: no occupancy rule is known for it.
    """
    if device.sm is None:
        message = f"blocks per SM are known for NVIDIA devices only, not for {device.id}"
        raise FaultError([Fault(("blocks_per_sm",), "blocks-per-sm", message)])
    return device.sm


def check_launch(launch: Launch) -> None:
    """Whether every number of the launch is one that a launch can have.

    Raises:
        FaultError: one or more are not.
    """
    ranges = {
        "dynamic_bytes": (launch.dynamic_bytes, 0, None),
        "static_bytes": (launch.static_bytes, 0, None),
        "threads": (launch.threads, 1, None),
        "registers": (launch.registers, 0, None),
        "carveout": (launch.carveout, 0, 100),
    }
    faults = [
        Fault((name,), "range", f"{name} is {value}, but {_wanted(least, most)}")
        for name, (value, least, most) in ranges.items()
        if value is not None and (value < least or (most is not None and value > most))
    ]
    if faults:
        raise FaultError(faults)


def _wanted(least: int, most: int | None) -> str:
    return f"must be at least {least}" if most is None else f"must be {least} to {most} percent"
