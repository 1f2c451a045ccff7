"""A buffer whose shape is not a multiple of its swizzle.

## Why

A swizzle permutes the bytes of an atom: 8 rows of 128, 64 or 32 B. TMA and
wgmma lay a tile out in whole atoms. A row that is not a multiple of the width,
or rows that are not a multiple of 8, take more memory than the shape says, or
are no operand at all.

## Fails

```yaml
smemdsl: 1
budget: sm_90
buffers:
  A: {shape: [64, 48], dtype: float16, swizzle: 128B}
```

## Fix

A row of 48 float16 is 96 B: pad the tile to whole atoms, or take a swizzle
that divides the row.

```yaml
smemdsl: 1
budget: sm_90
buffers:
  A: {shape: [64, 48], dtype: float16, swizzle: 32B}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from smemdsl.core.errors import Fault
from smemdsl.rules.subject import LintSubject, warning
from smemdsl.scenario.binding import condition, dtype, number
from smemdsl.scenario.spec import BufferSpec

CODE = "swizzle-shape"
ROWS = 8
"""Rows of a swizzle's atom."""


def check(subject: LintSubject) -> Iterator[Fault]:
    """Rows that are not a multiple of the swizzle's width, or no multiple of 8."""
    env = subject.plan.env
    for buffer in subject.scenario.spec.buffers:
        width = subject.document["buffers"][buffer.name].get("swizzle", "none")
        if width != "none" and buffer.shape is not None and condition(buffer.when, env):
            yield from _partial(subject, buffer, int(width.removesuffix("B")))


def _partial(subject: LintSubject, buffer: BufferSpec, width: int) -> Iterator[Fault]:
    env = subject.plan.env
    assert buffer.shape is not None
    assert buffer.dtype is not None
    shape = [number(extent, env) for extent in buffer.shape]
    kind = dtype(buffer.dtype, env)
    bits = kind.bits if buffer.storage_bits is None else number(buffer.storage_bits, env)
    row, rows = shape[-1] * bits, prod(shape[:-1])
    where = (*buffer.where, "swizzle")
    if row % (8 * width):
        yield warning(where, CODE, f"a row of {-(-row // 8)} B is not a multiple of the swizzle's {width} B")
    elif len(shape) > 1 and rows % ROWS:
        yield warning(where, CODE, f"{rows} rows are not a multiple of the {ROWS} rows of a swizzle's atom")
