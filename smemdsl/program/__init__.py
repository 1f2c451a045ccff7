"""The program form: what a kernel does, as statements, lowered to the interval model as a compiler would.

`lower` takes a bound `Program` and gives buffers with versions, lives and alignments, each with the rule that
gave it. The rules of one compiler version stand in one package, named in `COMPILERS`.
"""

from __future__ import annotations

from collections.abc import Callable

from smemdsl.program.expand import Explicit, ExplicitBuffer, expand
from smemdsl.program.explain import PlainLoop, Reason, explain, plain_loops
from smemdsl.program.result import Because, LoopInfo, Lowered, LoweredBuffer, StaticPart
from smemdsl.program.statements import (
    CLAMPED,
    COMPUTED,
    AtomicAdd,
    Compute,
    Copy,
    Declared,
    Gemm,
    If,
    Load,
    Loop,
    Options,
    Program,
    Reduce,
    Statement,
    Store,
)
from smemdsl.program.tilelang_0_1_15.lower import lower as _tilelang_0_1_15
from smemdsl.program.triton_3_9.lower import lower as _triton_3_9

__all__ = [
    "CLAMPED",
    "COMPILERS",
    "COMPUTED",
    "TRITON",
    "AtomicAdd",
    "Because",
    "Compute",
    "Copy",
    "Declared",
    "Explicit",
    "ExplicitBuffer",
    "Gemm",
    "If",
    "Load",
    "Loop",
    "LoopInfo",
    "Lowered",
    "LoweredBuffer",
    "Options",
    "PlainLoop",
    "Program",
    "Reason",
    "Reduce",
    "Statement",
    "StaticPart",
    "Store",
    "compiler_of",
    "expand",
    "explain",
    "lower",
    "plain_loops",
]

COMPILERS: dict[str, Callable[[Program], Lowered]] = {
    "tilelang-0.1.15": _tilelang_0_1_15,
    "triton-3.9": _triton_3_9,
}
"""Compiler version to its rules; the first is the default."""
TRITON = "triton:"
"""What a target begins with where Triton is the compiler."""


def compiler_of(target: str) -> tuple[str, str]:
    """The compiler version that a scenario's `target` asks for, and the target itself."""
    if target.startswith(TRITON):
        return "triton-3.9", target.removeprefix(TRITON)
    return "tilelang-0.1.15", target


def lower(program: Program, compiler: str = "tilelang-0.1.15") -> Lowered:
    """The interval model of a program, as a compiler version makes it.

    Raises FaultError for a program that is wrong or that the rules cannot lower; each fault has the place in
    the document.
    """
    return COMPILERS[compiler](program)
