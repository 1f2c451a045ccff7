"""Which instruction a gemm becomes, and whether its inner loop is a nest."""

from __future__ import annotations

from typing import Final, Literal

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.core.errors import Fault, FaultError
from smemdsl.program.statements import Gemm

STEP_BITS: Final = 256
"""Bits along K that one instruction takes, and so one iteration of the gemm's loop."""
STEP_BITS_SM_75: Final = 128
SPARSITY: Final = 2
"""How many times the K of a dense instruction a sparse one takes; of A it has as much as the dense one."""
WGMMA_BITS: Final = (8, 16, 32)
LEAST_SPARSE: Final = 80
Instruction = Literal["wgmma", "mma"]


def instruction(gemm: Gemm, kernel: Kernel) -> Instruction:
    """Wgmma or mma.

    wgmma needs sm_90, B in shared memory, M >= 64, threads a multiple of 128, and K a multiple of 16 (16-bit
    types), 32 (8-bit types) or 8 (32-bit types), the last two only with A not transposed and B transposed;
    twice these K where A is sparse. It decides alignments, for which see `alignment`. Raises FaultError
    `gemm-size` where a size that decides is missing, `no-wgmma` and `no-sparse` where the target has none.
    """
    if gemm.e is not None and kernel.target.sm < LEAST_SPARSE:
        raise FaultError(
            [Fault(gemm.where, "no-sparse", f"a sparse gemm on {kernel.target.name}, which has none")]
        )
    if gemm.mma == "wgmma" and not kernel.target.has_wgmma:
        message = f"`mma: wgmma` on {kernel.target.name}, which has no wgmma"
        raise FaultError([Fault(gemm.where, "no-wgmma", message)])
    if gemm.mma is not None:
        return "wgmma" if gemm.mma == "wgmma" else "mma"
    if not kernel.target.has_wgmma or gemm.b is None:
        return "mma"
    if size_of(gemm, "m") < 64 or kernel.threads_for("it decides whether a gemm is wgmma", gemm.where) % 128:
        return "mma"
    bits = operand_bits(gemm, kernel)
    if bits not in WGMMA_BITS or size_of(gemm, "k") * bits % step_bits(gemm):
        return "mma"
    return "wgmma" if bits == 16 or (gemm.trans_b and not gemm.trans_a) else "mma"


def is_nest(gemm: Gemm, kernel: Kernel) -> bool:
    """A gemm that is not wgmma is a loop over K of several statements, unless one step does it all.

    One step is K of 16 (16-bit types), 32 (8-bit types), 8 (32-bit types) or 64 (4-bit types); half of that
    on sm_75, twice where A is sparse. As in the compiler's liveness dump of the 34 gemms in
    `tests/program/test_gemm_rules.py`.
    """
    if instruction(gemm, kernel) == "wgmma" or (gemm.a is None and gemm.b is None):
        return False
    step = STEP_BITS_SM_75 if kernel.target.sm == 75 else step_bits(gemm)
    return size_of(gemm, "k") * operand_bits(gemm, kernel) > step


def step_bits(gemm: Gemm) -> int:
    """Bits along K that one instruction takes: twice as many where A is sparse."""
    return STEP_BITS * (SPARSITY if gemm.e is not None else 1)


def operand_bits(gemm: Gemm, kernel: Kernel) -> int:
    """Bits of an element of the operands (of B where both are in shared memory)."""
    name = gemm.b if gemm.b is not None else gemm.a
    return kernel.buffers[name].dtype_bits if name is not None else 16


def size_of(gemm: Gemm, which: Literal["m", "n", "k"]) -> int:
    """One size of a gemm; raises FaultError `gemm-size` where the file leaves it out."""
    size = {"m": gemm.m, "n": gemm.n, "k": gemm.k}[which]
    if size is None:
        decides = (
            "whether it is wgmma" if which == "m" else "which instruction it is and whether it is a loop"
        )
        message = f"a gemm needs its `{which}` here: it decides {decides}"
        raise FaultError([Fault(gemm.where, "gemm-size", message)])
    return size
