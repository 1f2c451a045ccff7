"""How the compiled kernel uses TMA and wgmma: what alignments and merging depend on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.gemm import instruction
from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.program.statements import AtomicAdd, Copy, Gemm, Loop, Statement, Store
from smemdsl.program.walk import everything


class Uses(NamedTuple):
    """The TMA operations of a kernel, and the operands of its wgmmas."""

    fills: tuple[Copy, ...]
    """TMA copies into shared memory."""
    drains: tuple[Store | AtomicAdd, ...]
    """TMA stores and reductions out of it."""
    wgmma: dict[str, tuple[Gemm, ...]]
    """Operands of a wgmma, and all that read each."""
    addresses: frozenset[str] = frozenset()
    """What the addresses of TMA copies are read from."""

    @property
    def any_tma(self) -> bool:
        """Whether some statement is TMA."""
        return bool(self.fills or self.drains)


def uses_of(
    body: Sequence[Statement], fills: Iterable[Copy], kernel: Kernel, split: Loop | None = None
) -> Uses:
    """How a program uses the buffers; `fills` are the copies that are TMA in the compiled kernel.

    `split` is the loop around those of them that are in one.
    """
    fills = tuple(fills)
    addresses = {name for copy in fills for name in copy.reads}
    if split is not None and split.start != 0:
        addresses.update(split.reads)
    wgmma: dict[str, tuple[Gemm, ...]] = {}
    drains: list[Store | AtomicAdd] = []
    for each in everything(body):
        if isinstance(each, Gemm) and instruction(each, kernel) == "wgmma":
            wgmma |= {name: (*wgmma.get(name, ()), each) for name in each.operands}
        elif isinstance(each, Store | AtomicAdd) and is_tma_drain(each, kernel):
            drains.append(each)
    return Uses(fills, tuple(drains), wgmma, frozenset(addresses))


def is_tma_drain(statement: Store | AtomicAdd, kernel: Kernel) -> bool:
    """Stores are TMA unless they cannot or the option `tma` stops them; reductions if they say so."""
    allowed = kernel.options.tma or isinstance(statement, AtomicAdd)
    return kernel.target.has_tma and allowed and statement.tma
