"""One block less runs on an SM, for less than 2 KiB.

## Why

Blocks per SM change in steps. A kernel that lies a few bytes above one pays
for them with a whole block: padding, a barrier, or an alignment can cost a
third of the occupancy.

## Fails

```yaml
smemdsl: 1
budget: sm_90
buffers:
  A: {bytes: 113 KiB}
  flags: {bytes: 128}
```

## Fix

Two blocks run with 115712 B each, so 128 B have to go: shrink or share a
buffer. `smemdsl pack` shows how far the next step is, both ways.

```yaml
smemdsl: 1
budget: sm_90
buffers:
  A: {bytes: 112 KiB}
  flags: {bytes: 128}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.confidence import DOUBTS, EXACT
from smemdsl.core.errors import Fault
from smemdsl.core.units import counted
from smemdsl.judging.judge import blocks_with, occupancy_headroom
from smemdsl.rules.subject import LintSubject, warning

CODE = "occupancy-step"
NEAR = 2048
"""Bytes above a step that are worth a look."""


def check(subject: LintSubject) -> Iterator[Fault]:
    """Verdicts that fit, where saving less than 2 KiB would let more blocks run."""
    spec = subject.scenario.spec
    places = [budget.where for budget in spec.budgets]
    for i, verdict in enumerate(subject.verdicts):
        if not verdict.fits or blocks_with(verdict, NEAR) == verdict.blocks_per_sm:
            continue
        steps = occupancy_headroom(verdict)
        if steps is None or steps.fewer is None or steps.fewer >= NEAR:
            continue
        now, then, saving = verdict.blocks_per_sm, steps.blocks_with_fewer, steps.fewer
        message = (
            f"{saving} B less would let {counted(then, 'block')} run on an SM of {verdict.budget.name}, "
            f"where {now} "
        )
        message += "does" if now == 1 else "do"
        if verdict.confidence != EXACT:
            message += f"; but the arena is {DOUBTS[verdict.confidence]}"
        yield warning(places[i] if i < len(places) else ("expect", "devices"), CODE, message)
