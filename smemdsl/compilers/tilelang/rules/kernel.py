"""What the rules of one kernel share: target, options, threads, buffers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.target import Target, read_target
from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.program.statements import CompilerOptions, Declared, If, Loop, Program, Statement
from smemdsl.program.walk import bounds, everything, operands, touches

MOST_THREADS = 1 << 16
"""What the rules take: no GPU runs a block of over 1024, which is judged; far above it is a slip."""


class Kernel(NamedTuple):
    """A program's fixed surroundings."""

    target: Target
    options: CompilerOptions
    threads: int | None
    buffers: dict[str, Declared]
    operands: frozenset[str]
    """Operands of some gemm."""
    merges: bool = False
    """Some statement is TMA in the compiled kernel: only then neighbours are merged."""
    alone: frozenset[str] = frozenset()
    """Buffers that one statement alone touches: the compiler declares them inside it."""
    where: DocPath = ()

    @property
    def may_specialize(self) -> bool:
        """A target with TMA, and warp specialisation not switched off."""
        return self.target.has_tma and self.options.warp_specialize

    def threads_for(self, what: str, where: DocPath) -> int:
        """The number of threads, where a rule needs it; FaultError when the file has none or too many."""
        if self.threads is None:
            raise FaultError([Fault(where, "no-threads", f"`threads` must be given: {what}")])
        if self.threads > MOST_THREADS:
            message = f"`threads` is {self.threads}, but must be at most {MOST_THREADS}: {what}"
            raise FaultError([Fault(where, "out-of-range", message)])
        return self.threads


def touched_once(body: Iterable[Statement]) -> frozenset[str]:
    """Buffers that one statement alone touches."""
    own = (bounds(each) if isinstance(each, If | Loop) else touches(each) for each in everything(body))
    times = Counter(name for names in own for name in names)
    return frozenset(name for name, count in times.items() if count == 1)


def kernel_of(program: Program) -> Kernel:
    """The surroundings of a program; raises FaultError for an unknown target."""
    return Kernel(
        read_target(program.target, program.target_where),
        program.options,
        program.threads,
        {buffer.name: buffer for buffer in program.buffers},
        operands(program.body),
        alone=touched_once(program.body),
        where=program.where,
    )
