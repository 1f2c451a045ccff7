"""The threads of a block are not a whole number of warps.

## Why

An NVIDIA GPU runs threads in warps of 32. The last warp of such a block is
idle in part, and the compilers count on whole warps: they give each a share of
a tile. It is a typing mistake more often than not.

## Fails

```yaml
smemdsl: 1
budget: sm_90
threads: 100
buffers:
  A: {bytes: 16 KiB}
```

## Fix

Take a multiple of 32.

```yaml
smemdsl: 1
budget: sm_90
threads: 128
buffers:
  A: {bytes: 16 KiB}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.rules.subject import LintSubject, warning
from smemdsl.scenario.binding import number

CODE = "partial-warp"
WARP = 32
"""Threads of a warp on every NVIDIA GPU (CUDA C++ Programming Guide)."""


def check(subject: LintSubject) -> Iterator[Fault]:
    """Threads that are not a multiple of 32 where a device, or the program's target, is one of NVIDIA's."""
    spec = subject.scenario.spec
    if spec.threads is None:
        return
    target = spec.program.target if spec.program is not None else ""
    if not (target.startswith("sm_") or any(device.compute_capability for device in subject.devices)):
        return
    threads = number(spec.threads, subject.plan.env)
    if threads % WARP:
        message = f"{threads} threads are not a whole number of warps of {WARP}"
        yield warning(("threads",), CODE, message, f"{-(-threads // WARP) * WARP} threads are")
