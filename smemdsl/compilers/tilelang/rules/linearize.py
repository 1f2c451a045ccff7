"""Emission of the statements that contain no other, with the keys by which neighbours merge."""

from __future__ import annotations

from math import prod

from smemdsl.compilers.tilelang.rules.emitted_ir import Node
from smemdsl.compilers.tilelang.rules.gemm import instruction, is_nest
from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.lower_reduce import emit_reduce
from smemdsl.compilers.tilelang.rules.tma_uses import is_tma_drain
from smemdsl.program.statements import AtomicAdd, Compute, Copy, Gemm, Load, Reduce, Store, StoreResult
from smemdsl.program.walk import reads, touches, writes

Leaf = Copy | Load | Store | StoreResult | AtomicAdd | Gemm | Reduce | Compute


def emit_leaf(statement: Leaf, kernel: Kernel) -> list[Node]:
    """A statement that contains no other is one slot.

    Under aggressive merge a `load` of a list is one slot for each buffer, in order.
    """
    match statement:
        case Gemm():
            return emit_gemm(statement, kernel)
        case Reduce():
            return emit_reduce(statement, describe(statement), kernel)
        case Load() if kernel.options.aggressive_merge:
            return [Node(f"load {name}", touched=(name,)) for name in touches(statement)]
        case _:
            label, key = describe(statement), merge_key(statement, kernel)
            scalar = isinstance(statement, Compute) and statement.scalar
            leaf = Node(label, touched=touches(statement), merge=key, scalar=scalar)
            nested = isinstance(statement, Compute) and statement.nest
            nested = nested or is_nest_of_copies(statement, kernel)
            return [Node(label, "loop", body=(leaf,), nest=True)] if nested else [leaf]


def is_nest_of_copies(statement: Leaf, kernel: Kernel) -> bool:
    """Whether a copy is a loop with its buffer's declaration in it.

    Where no other statement touches the buffer, and 16 B a thread do not move it at once. It decides an
    offset of one random kernel.
    """
    if isinstance(statement, Copy) and not statement.tma and kernel.threads is not None:
        return statement.to in kernel.alone and kernel.buffers[statement.to].bytes > 16 * kernel.threads
    return False


def describe(statement: Leaf) -> str:
    """A few words that name a statement."""
    kind = "atomic_add" if isinstance(statement, AtomicAdd) else type(statement).__name__.lower()
    return " ".join((kind, *touches(statement)))


def merge_key(statement: Leaf, kernel: Kernel) -> tuple[str, ...]:
    """The condition of what one thread or a range of threads executes; empty for all other statements."""
    if isinstance(statement, Copy) and statement.tma:
        return ("one thread",)
    if isinstance(statement, Store) and is_tma_drain(statement, kernel):
        return ("one thread",)
    moved = writes(statement) or ((statement.source,) if isinstance(statement, Store) else ())
    if len(moved) == 1 and kernel.threads is not None:
        elements = prod(kernel.buffers[moved[0]].shape)
        if elements < kernel.threads:
            return ("few threads", str(elements))
    return ()


def emit_gemm(gemm: Gemm, kernel: Kernel) -> list[Node]:
    """Wgmma is one statement; an mma gemm touches A, then B, in a loop over K if it has several steps.

    The metadata of a sparse A comes after it; wgmma reads them into registers, in a statement of its own.
    """
    label, names = describe(gemm), reads(gemm)
    if not names or instruction(gemm, kernel) == "wgmma":
        metadata = [Node(f"{label}: read {gemm.e}", touched=(gemm.e,))] if gemm.e is not None else []
        return [Node(label, touched=gemm.operands), *metadata]
    loads = (Node(f"{label}: read {name}", touched=(name,)) for name in names)
    parts = (*loads, Node(f"{label}: multiply"))
    return [Node(label, "loop", body=parts, nest=True)] if is_nest(gemm, kernel) else [*parts]
