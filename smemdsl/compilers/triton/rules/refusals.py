"""What no kernel of Triton does: its values are made before they are used."""

from __future__ import annotations

from collections.abc import Iterator

from smemdsl.compilers.triton.rules.kernel import Kernel
from smemdsl.compilers.triton.rules.positions import touching
from smemdsl.core.errors import Fault
from smemdsl.program.statements import Copy, Load, StoreResult
from smemdsl.program.walk import reads, writes


def copies_after_use(kernel: Kernel) -> Iterator[Fault]:
    """`copy-after-use`: an operand is copied where no statement after the copy reads it."""
    for place in kernel.places:
        if not isinstance(place.statement, Copy | Load):
            continue
        for name in writes(place.statement):
            later = (p for p in touching(name, kernel.places) if p.start >= place.end)
            if kernel.uses(name) and not any(name in reads(p.statement) for p in later):
                message = f"{name!r} is copied after the last statement that reads it"
                hint = "a value of Triton is loaded before its use: copy it first, or leave this copy out"
                yield Fault(place.statement.where, "copy-after-use", message, hint)


def results_before_dots(kernel: Kernel) -> Iterator[Fault]:
    """`read-before-write`: the result of a gemm is stored before there is one."""
    first = min((dot.place.start for dot in kernel.dots), default=None)
    for place in kernel.places:
        if isinstance(place.statement, StoreResult) and (first is None or place.start < first):
            message = "there is no gemm before this store of a gemm's result"
            yield Fault(place.statement.where, "read-before-write", message, "`from` stores a buffer")
