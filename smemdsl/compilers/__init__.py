"""Compilers: a room for each, with all that is known about it: rules by version, packers, capture.

`lower` takes a bound `Program` and gives buffers with versions, lives and alignments, each with the rule that
gave it.
"""

from __future__ import annotations

from collections.abc import Callable

from smemdsl.compilers.tilelang.rules.lower import lower as _tilelang_0_1_15
from smemdsl.compilers.triton.rules.lower import lower as _triton_3_9
from smemdsl.program.lowered import LoweredProgram
from smemdsl.program.statements import Program

COMPILERS: dict[str, Callable[[Program], LoweredProgram]] = {
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


def lower(program: Program, compiler: str = "tilelang-0.1.15") -> LoweredProgram:
    """The interval model of a program, as a compiler version makes it.

    Raises FaultError for a program that is wrong or that the rules cannot lower; each fault has the place in
    the document.
    """
    return COMPILERS[compiler](program)
