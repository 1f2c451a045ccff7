"""The default alignment is finer than TMA needs, beside a buffer with a swizzle.

## Why

Since compute capability 9.0 a copy by TMA writes shared memory at multiples
of 128 B. Where one buffer has a `swizzle`, the kernel uses TMA, and the
others are most likely its operands too: at an offset that is not a multiple of
128 such a copy faults, or lands elsewhere.

## Fails

```yaml
smemdsl: 1
budget: sm_90
align: 16
buffers:
  A: {shape: [64, 64], dtype: float16, swizzle: 128B}
  B: {bytes: 4 KiB}
```

## Fix

```yaml
smemdsl: 1
budget: sm_90
align: 128
buffers:
  A: {shape: [64, 64], dtype: float16, swizzle: 128B}
  B: {bytes: 4 KiB}
```

Or give those that TMA does not touch their own `align`.
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.devices import Device
from smemdsl.rules.subject import LintSubject, warning

CODE = "tma-align"
TMA = 128
"""Alignment in bytes of a shared-memory address that TMA copies to (CUDA C++ Programming Guide)."""
FIRST = (9, 0)
"""The first compute capability with TMA."""


def check(subject: LintSubject) -> Iterator[Fault]:
    """A default that is finer than 128 B and applies to a buffer, on a device with TMA."""
    buffers = subject.document["buffers"]
    swizzled = [name for name, buffer in buffers.items() if "swizzle" in buffer]
    rest = [name for name, buffer in buffers.items() if not {"swizzle", "align", "scope"} & buffer.keys()]
    align = subject.plan.lowered.align
    program = (
        subject.scenario.spec.program is not None
    )  # the compiler then aligns by what is done to a buffer
    if swizzled and rest and align < TMA and not program and any(map(_has_tma, subject.devices)):
        message = f"{rest[0]} is aligned to {align} B, but a copy by TMA needs {TMA} B"
        where = ("align",) if "align" in subject.document else ("buffers", rest[0])
        yield warning(where, CODE, message, f"align: {TMA}, or an `align` of its own", on_key=True)


def _has_tma(device: Device) -> bool:
    major, _, minor = (device.compute_capability or "0.0").partition(".")
    return (int(major), int(minor)) >= FIRST
