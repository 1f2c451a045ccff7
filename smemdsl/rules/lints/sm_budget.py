"""The budget is what an SM has, and no block can be granted that much.

## Why

`sm_90/sm` is 233472 B, but one block may ask for 232448 B at most: the driver
keeps the rest. A kernel that fits the budget and not the block's limit fails
at its launch. The SM's size is for counting blocks.

## Fails

```yaml
smemdsl: 1
budget: sm_90/sm
buffers:
  tile: {bytes: 64 KiB}
```

## Fix

Name the device alone, which stands for what one block may ask for.

```yaml
smemdsl: 1
budget: sm_90
buffers:
  tile: {bytes: 64 KiB}
```

`h100-sm-shared-228kb`, which is the same size, is the default of a scenario
and is taken as meant. What fits the SM and no block is OVER all the same, by
the opt-in limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.devices import OPT_IN
from smemdsl.rules.subject import LintSubject, warning
from smemdsl.scenario.reading.budgets import DEFAULT_BUDGET

CODE = "sm-budget"


def check(subject: LintSubject) -> Iterator[Fault]:
    """A budget that the file chooses, of more than a block of its device can have."""
    for budget, verdict in zip(subject.scenario.spec.budgets, subject.verdicts, strict=False):
        limit = verdict.budget
        if budget.text == DEFAULT_BUDGET or limit.preset is None or limit.bytes <= limit.preset.block_bytes:
            continue
        if verdict.limit == OPT_IN:  # the verdict says so
            continue
        most, device = limit.preset.block_bytes, limit.preset.device.id
        message = f"{limit.name} is what an SM has, {limit.bytes} B; a block is granted {most} B at most"
        yield warning(budget.where, CODE, message, f"write {device} for the limit of a block")
