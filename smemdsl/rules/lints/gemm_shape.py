"""A gemm has other sizes than its operands.

## Why

A gemm of m x n x k reads an m x k tile of `a` and a k x n tile of `b`, turned
with `trans_a` and `trans_b`. The compiler refuses sizes that its operands have
not, or reads past a tile's end; and m, n and k decide instruction, alignment
and memory here. A tile may be a part of a buffer, or have padding: what is
reported is a size larger than the buffer, or one of which a much larger buffer
is no multiple. A sparse `a`, one with metadata `e`, has half of k columns: one
that has all of them is reported too, and metadata that are an operand.

## Fails

```yaml
smemdsl: 1
target: sm_80
threads: 128
program:
  - copy: A
  - copy: B
  - gemm: {a: A, b: B, m: 128, n: 128, k: 64}
buffers:
  A: {shape: [128, 32], dtype: float16}
  B: {shape: [32, 128], dtype: float16}
```

## Fix

Take the sizes of the operands, best from the same parameters.

```yaml
smemdsl: 1
target: sm_80
threads: 128
program:
  - copy: A
  - copy: B
  - gemm: {a: A, b: B, m: 128, n: 128, k: 32}
buffers:
  A: {shape: [128, 32], dtype: float16}
  B: {shape: [32, 128], dtype: float16}
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from smemdsl.core.errors import Fault
from smemdsl.rules.subject import LintSubject, warning
from smemdsl.scenario.binding import condition, number
from smemdsl.scenario.spec import BufferSpec, StatementSpec

CODE = "gemm-shape"
_SIZES = {"a": ("m", "k"), "b": ("k", "n")}
"""Sizes of each operand's rows and columns; `trans_a` and `trans_b` turn them."""


def check(subject: LintSubject) -> Iterator[Fault]:
    """Sizes that contradict the shape of an operand of two dimensions."""
    spec = subject.scenario.spec
    if spec.program is None:
        return
    buffers = {buffer.name: buffer for buffer in spec.buffers}
    for statement in _gemms(spec.program.statements, subject):
        yield from _contradictions(statement, buffers, subject)


def _gemms(statements: Iterable[StatementSpec], subject: LintSubject) -> Iterator[StatementSpec]:
    """The gemms that run whatever a branch decides: in another, sizes may be those of another case."""
    for statement in statements:
        if statement.verb == "gemm":
            yield statement
        elif statement.verb == "loop":
            yield from _gemms(statement.body, subject)


def _contradictions(
    gemm: StatementSpec, buffers: Mapping[str, BufferSpec], subject: LintSubject
) -> Iterator[Fault]:
    env = subject.plan.env
    metadata = gemm.buffers.get("e", ())
    if any(name in gemm.buffers.get(role, ()) for name in metadata for role in _SIZES):
        yield warning((*gemm.where, "e"), CODE, f"{metadata[0]} is an operand, so it cannot be metadata too")
    for role, sizes in _SIZES.items():
        names = gemm.buffers.get(role, ())
        shape = _shape(buffers.get(names[0]), subject) if len(names) == 1 else None
        if shape is None:
            continue
        turned = f"trans_{role}" in gemm.flags and condition(gemm.flags[f"trans_{role}"], env)
        for size, extent in zip(reversed(sizes) if turned else sizes, shape, strict=True):
            value = number(gemm.numbers[size], env) if size in gemm.numbers else extent
            half = size == "k" and role == "a" and bool(metadata)
            value //= 2 if half else 1
            if (
                value > extent
                or (extent > 2 * value and extent % max(value, 1))
                or (half and extent == 2 * value)
            ):
                which = "half of k" if half else size
                message = f"{which} is {value}, but {names[0]} of shape {list(shape)} has {extent}"
                turning = f", and `trans_{role}` turns it" if turned else ""
                yield warning((*gemm.where, size), CODE, message + turning)


def _shape(buffer: BufferSpec | None, subject: LintSubject) -> tuple[int, int] | None:
    """The shape of a buffer of two dimensions, where it is known."""
    if buffer is None or buffer.shape is None or len(buffer.shape) != 2:
        return None
    if not condition(buffer.when, subject.plan.env):
        return None
    rows, columns = (number(extent, subject.plan.env) for extent in buffer.shape)
    return rows, columns
