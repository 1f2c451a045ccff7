"""A region of the timeline that no buffer is touched in.

## Why

Buffers live from their first touch to their last. A region that none names
takes slots and says nothing: mostly an `access` names the wrong region, or
lacks one, and a buffer then looks dead while it is in use.

## Fails

```yaml
smemdsl: 1
timeline: [load, mma, store]
buffers:
  A: {bytes: 16 KiB, access: [load, mma]}
```

## Fix

```yaml
smemdsl: 1
timeline: [load, mma, store]
buffers:
  A: {bytes: 16 KiB, access: [load, mma]}
  C: {bytes: 16 KiB, access: [store]}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.rules.subject import LintSubject, warning

CODE = "unused-region"


def check(subject: LintSubject) -> Iterator[Fault]:
    """Regions that no `access` names, where at least one buffer has an `access`."""
    spec = subject.scenario.spec
    touched = {access.region for buffer in spec.buffers for access in buffer.access}
    for region in spec.timeline if touched else ():
        if region.name not in touched:
            where = (
                (*region.where, "region") if isinstance(_item(subject, region.where), dict) else region.where
            )
            yield warning(where, CODE, f"no buffer is used in region {region.name}")


def _item(subject: LintSubject, where: tuple[str | int, ...]) -> object:
    return subject.document["timeline"][where[-1]]
