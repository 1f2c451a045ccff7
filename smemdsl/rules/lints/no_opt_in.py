"""More than 48 KiB without the opt-in.

## Why

A kernel on an NVIDIA device gets 48 KiB of shared memory as it is. More has
to be dynamic, and the kernel has to opt in with `cudaFuncSetAttribute(kernel,
cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)`; static arrays beyond 48
KiB do not even compile.

## Fails

```yaml
smemdsl: 1
budget: sm_90
static: 64 KiB
buffers:
  tile: {bytes: 16 KiB}
```

## Fix

Make the arrays dynamic, so that they lie in the arena; where the budget is
`/static` and the kernel opts in, name the device alone.

```yaml
smemdsl: 1
budget: sm_90
buffers:
  table: {bytes: 64 KiB}
  tile: {bytes: 16 KiB}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.judging.verdict import Verdict
from smemdsl.rules.subject import LintSubject, warning

CODE = "no-opt-in"


def check(subject: LintSubject) -> Iterator[Fault]:
    """Static memory beyond the default limit, or a `/static` budget that only the opt-in would meet."""
    static = subject.plan.lowered.static_bytes
    for verdict in subject.verdicts:
        limit = _default_limit(verdict)
        if limit is not None and static > limit and verdict.limit is not None:
            message = f"{static} B of static shared memory, but a kernel can declare at most {limit} B"
            yield warning(
                ("static",),
                CODE,
                message,
                "make it dynamic: the opt-in limit applies only to dynamic shared memory",
            )
            return
    for budget, verdict in zip(subject.scenario.spec.budgets, subject.verdicts, strict=False):
        preset, launch = verdict.budget.preset, verdict.plan.launch
        if preset is None or preset.opt_in or preset.device.sm is None or verdict.fits:
            continue
        if launch <= preset.device.sm.block_optin:
            message = f"{launch} B need the opt-in: {verdict.budget.name} is the limit without it"
            yield warning(budget.where, CODE, message, f"write {preset.device.id} if the kernel opts in")


def _default_limit(verdict: Verdict) -> int | None:
    preset = verdict.budget.preset
    return None if preset is None or preset.device.sm is None else preset.device.sm.block_default
