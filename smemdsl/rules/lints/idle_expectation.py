"""An expectation that cannot fail.

## Why

It reads like a promise and guards nothing: every arena has 0 B or more, every
buffer at least one copy, and no value of an axis is larger than its largest.
A change that the expectation was written for will pass.

## Fails

```yaml
smemdsl: 1
budget: sm_90
buffers:
  A: {bytes: 16 KiB}
expect:
  arena: ">= 0"
```

## Fix

Expect a number that would have to be changed with the kernel.

```yaml
smemdsl: 1
budget: sm_90
buffers:
  A: {bytes: 16 KiB}
expect:
  arena: "<= 16 KiB"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.rules.subject import LintSubject, warning
from smemdsl.scenario.binding import number
from smemdsl.scenario.spec import RELATIONS, ExpectedNumber, ExpectSpec

CODE = "idle-expectation"


def check(subject: LintSubject) -> Iterator[Fault]:
    """Comparisons that hold for every value there can be, and buffers that share storage with themselves."""
    spec = subject.scenario.spec
    for expect in (spec.expect, *(item for _, item in spec.device_expect)):
        if expect is not None:
            yield from _comparisons(subject, expect)
            for names, where in expect.share:
                if len(set(names)) == 1:
                    yield warning(where, CODE, f"{names[0]} always shares its storage with itself")


def _comparisons(subject: LintSubject, expect: ExpectSpec) -> Iterator[Fault]:
    for comparison in expect.arena:
        yield from _idle(subject, comparison, "no arena is below 0 B", 0, None)
    for name, comparison in expect.versions:
        yield from _idle(subject, comparison, f"{name} has at least one version", 1, None)
    if expect.blocks_per_sm is not None:
        yield from _idle(subject, expect.blocks_per_sm, "fewer than 0 blocks never run", 0, None)
    for name, comparison in expect.most:
        axis = next((axis.values for axis in subject.scenario.spec.axes if axis.name == name), ())
        values = [value for value in axis if isinstance(value, int)] if len(axis) < _MOST else []
        if values:
            words = f"the axis of {name} ends at {max(values)}"
            yield from _idle(subject, comparison, words, None, max(values))


_MOST = 10_000
"""Values of an axis that are looked at."""


def _idle(
    subject: LintSubject, comparison: ExpectedNumber, because: str, least: int | None, most: int | None
) -> Iterator[Fault]:
    """A finding where the comparison holds from `least` up, or from `most` down: at the end and beyond it."""
    wanted, holds = number(comparison.number, subject.plan.env), RELATIONS[comparison.relation]
    up = least is not None and comparison.relation in (">", ">=") and holds(least, wanted)
    down = most is not None and comparison.relation in ("<", "<=") and holds(most, wanted)
    never = comparison.relation == "!=" and (
        (least is not None and wanted < least) or (most is not None and wanted > most)
    )
    if up or down or never:
        yield warning(comparison.where, CODE, f"this cannot fail: {because}")
