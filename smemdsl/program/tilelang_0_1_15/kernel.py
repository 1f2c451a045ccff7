"""What the rules of one kernel share: target, options, threads, buffers."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.errors import DocPath, Fault, FaultError
from smemdsl.program.statements import Declared, Options, Program
from smemdsl.program.tilelang_0_1_15.target import Target, read_target
from smemdsl.program.walk import operands


class Kernel(NamedTuple):
    """A program's fixed surroundings."""

    target: Target
    options: Options
    threads: int | None
    buffers: dict[str, Declared]
    operands: frozenset[str]
    """Buffers that some gemm reads."""
    merges: bool = False
    """Some statement is TMA in the compiled kernel: only then neighbours are merged (R4, W6)."""
    where: DocPath = ()

    @property
    def may_specialize(self) -> bool:
        """W2's first condition: a target with TMA, and warp specialisation not switched off."""
        return self.target.has_tma and self.options.warp_specialize

    def threads_for(self, what: str, where: DocPath) -> int:
        """The number of threads, where a rule needs it; FaultError `no-threads` when the file has none."""
        if self.threads is None:
            raise FaultError([Fault(where, "no-threads", f"`threads` must be given: {what}")])
        return self.threads


def kernel_of(program: Program) -> Kernel:
    """The surroundings of a program; raises FaultError for an unknown target."""
    return Kernel(
        read_target(program.target, program.target_where),
        program.options,
        program.threads,
        {buffer.name: buffer for buffer in program.buffers},
        operands(program.body),
        where=program.where,
    )
