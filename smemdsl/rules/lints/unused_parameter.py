"""A parameter that nothing uses.

## Why

It looks as if the arena depended on it. Mostly a literal was meant to be it:
the tile is written `128` and not `block_M`, and a sweep over `block_M` then
has the same row again and again.

## Fails

```yaml
smemdsl: 1
params: {block_M: 128, block_K: 64}
buffers:
  A: {shape: [128, block_K], dtype: float16}
```

## Fix

Use it, or leave it out.

```yaml
smemdsl: 1
params: {block_M: 128, block_K: 64}
buffers:
  A: {shape: [block_M, block_K], dtype: float16}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.core.errors import Fault
from smemdsl.rules.subject import LintSubject, names_in_text, used_names, warning
from smemdsl.scenario.spec import ScenarioSpec

CODE = "unused-parameter"


def check(subject: LintSubject) -> Iterator[Fault]:
    """Parameters that no expression names; what a sweep gives a parameter is no use of it."""
    spec = subject.scenario.spec
    left = dict.fromkeys(name for name, _ in spec.params)
    for name in _uses(spec):
        left.pop(name, None)
        if not left:
            return
    for name in left:
        yield warning(("params", name), CODE, f"unused parameter {name}", on_key=True)


def _uses(spec: ScenarioSpec) -> Iterator[str]:
    """Every name that is used; where most stand comes first."""
    yield from used_names(spec.buffers)
    yield from used_names(spec._replace(axes=(), configs=(), fill=(), buffers=()))
    for budget in spec.budgets:
        yield from names_in_text(budget.text)
