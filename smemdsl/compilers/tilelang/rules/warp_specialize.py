"""Warp specialisation, sm_90 and later: which loop is split into producer and consumer, and how.

It happens on a target with TMA where some loop with `num_stages` has a tile copy that TMA can do: one dtype,
rows and outer strides in multiples of 16 B. The first such loop is split. The producer has its TMA copies and
what fills shared memory from global memory without reading shared memory; the rest is the consumer. Copies
before the loop that the consumer reads are TMA too. What makes registers that the consumer needs moves from
before the loop to between the halves; what follows the statement that encloses the loop runs in the consumer.

The pass looks at a function, which may launch several kernels. If a loop of one of them is split, what the
loops of all of them fill gets its versions then; a loop that is not split is planned as well, which makes
them stages squared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.producer_consumer_split import (
    Around,
    Branch,
    Emitted,
    Guarded,
    Specialised,
    Split,
    without_stages,
    without_tma,
)
from smemdsl.program.rule import Rule
from smemdsl.program.statements import Compute, Copy, Gemm, If, Load, Loop, Reduce, Statement
from smemdsl.program.walk import asks_for_stages, children, everything, reads

RULE = Rule(
    "warp-specialize/split",
    compiler="TileLang",
    passes="ProducerConsumerWarpSpecialized",
    source="src/cuda/transform/producer_consumer_ws.cc",
    since="0.1.15",
    evidence="every recorded program for sm_90a, and the kernels of tests/oracle made to tell",
)


def specialise(body: Sequence[Statement], kernel: Kernel) -> Specialised:
    """Whether warps are specialised, and the program after it.

    It fires unless switched off, and only if the first loop that has num_stages contains, directly in its
    body or in one `if` that is the whole body, a copy that can be TMA. If it does not fire and an eligible
    copy stands elsewhere in a num_stages loop, every num_stages is dropped, unless another launch of the
    function is split. Held in all 119 recorded programs of sm_90 and later for which
    `tests/data/tilelang_plans.jsonl` says what the compiler did.
    """
    sibling = kernel.may_specialize and kernel.options.specialized_sibling
    candidate = kernel.may_specialize and _has_candidate(body)
    first = next((each for each in everything(body) if asks_for_stages(each)), None)
    if candidate and isinstance(first, Loop) and any(map(can_be_tma, loop_statements(first))):
        preloaded = preloads(body, first)
        return Specialised(_rewrite(body, first, preloaded), first, preloaded, versioned=True)
    plain = tuple(map(without_tma, body))
    if candidate and not sibling:
        return Specialised(tuple(map(without_stages, plain)), None, (), dropped=True)
    return Specialised(plain, None, (), versioned=sibling)


def can_be_tma(statement: Statement) -> bool:
    """A tile copy of one dtype whose rows and outer strides are multiples of 16 B, as the file says."""
    return isinstance(statement, Copy) and statement.tma


def loop_statements(loop: Loop) -> tuple[Statement, ...]:
    """What is split into producer and consumer: the body, or what an `if` around all of it holds."""
    if len(loop.body) == 1 and isinstance(loop.body[0], If) and loop.body[0].orelse is None:
        return loop.body[0].then
    return loop.body


def _has_candidate(body: Iterable[Statement]) -> bool:
    loops = (each for each in everything(body) if asks_for_stages(each))
    return any(can_be_tma(inner) for loop in loops for inner in everything(children(loop)))


def is_producer(statement: Statement) -> bool:
    """TMA copies, and what fills shared memory from global memory without reading shared memory.

    Loads, and computation on their way, as compiled in two kernels of `tests/oracle/kernels/fills.py`.
    """
    if isinstance(statement, Copy):
        return statement.tma
    if isinstance(statement, If | Loop):
        inner = children(statement)
        return bool(inner) and all(not isinstance(each, Copy) and is_producer(each) for each in inner)
    if isinstance(statement, Compute):
        return statement.reads_global and bool(statement.writes) and not statement.reads
    return isinstance(statement, Load) and not statement.reads


def split_loop(loop: Loop, between: tuple[Statement, ...]) -> Split:
    """In the producer loop element-wise loads come before the TMA copies; the rest is the consumer."""
    statements = loop_statements(loop)
    produced = [each for each in statements if is_producer(each)]
    loads = [each for each in produced if not isinstance(each, Copy)]
    copies = [each for each in produced if isinstance(each, Copy)]
    consumer = tuple(without_tma(each) for each in statements if not is_producer(each))
    return Split(loop, (*loads, *copies), between, consumer)


def preloads(body: Sequence[Statement], loop: Loop) -> tuple[Copy, ...]:
    """The copies before the loop that are TMA too.

    Those that its consumer reads, not inside another loop or a separate `if`; none where the loop itself is
    inside another loop.
    """
    consumer = [each for each in loop_statements(loop) if not is_producer(each)]
    wanted = {name for each in consumer for name in reads(each)}
    before = statements_before(body, loop) or ()
    return tuple(each for each in before if isinstance(each, Copy) and each.tma and each.to in wanted)


def statements_before(body: Sequence[Statement], loop: Loop) -> tuple[Statement, ...] | None:
    """What runs before the loop on the way to it through sequences and `if`s; None if it is not there."""
    for index, statement in enumerate(body):
        if statement is loop:
            return tuple(body[:index])
        if isinstance(statement, If):
            for branch in (statement.then, statement.orelse or ()):
                inner = statements_before(branch, loop)
                if inner is not None:
                    return (*body[:index], *inner)
    return None


def runs_in_consumer(statement: Statement) -> bool:
    """Whether a statement before the loop makes registers that the consumer needs, and runs there.

    A `compute` that only reads shared buffers, a gemm, a reduction, or what contains one (seen in chunk_scan,
    and in every kernel made to tell).
    """
    return any(map(makes_registers, everything((statement,))))


def makes_registers(statement: Statement) -> bool:
    """Whether the result of a statement is in registers."""
    if isinstance(statement, Compute):
        return bool(statement.reads) and not statement.writes
    return isinstance(statement, Gemm | Reduce)


def contains(statement: Statement, loop: Loop) -> bool:
    """Whether the loop is the statement or stands in it."""
    return statement is loop or any(each is loop for each in everything(children(statement)))


def _rewrite(body: Sequence[Statement], loop: Loop, preloaded: tuple[Copy, ...]) -> tuple[Emitted, ...]:
    index = next(i for i, each in enumerate(body) if contains(each, loop))
    kept: list[Statement] = []
    moved: list[Statement] = []
    for each in body[:index]:
        (moved if body[index] is loop and runs_in_consumer(each) else kept).append(each)
    before = tuple(each if any(each is copy for copy in preloaded) else without_tma(each) for each in kept)
    after = tuple(map(without_tma, body[index + 1 :]))
    if body[index] is loop:
        return (*before, split_loop(loop, tuple(moved)), *after)
    inner = _rewrite_inside(body[index], loop, preloaded)
    return (*before, inner, Guarded(after)) if after else (*before, inner)


def _rewrite_inside(statement: Statement, loop: Loop, preloaded: tuple[Copy, ...]) -> Emitted:
    if isinstance(statement, Loop):
        return Around(statement, _rewrite(statement.body, loop, preloaded))
    assert isinstance(statement, If)
    if any(contains(each, loop) for each in statement.then):
        orelse = statement.orelse
        return Branch(
            _rewrite(statement.then, loop, preloaded),
            None if orelse is None else tuple(map(without_tma, orelse)),
        )
    return Branch(tuple(map(without_tma, statement.then)), _rewrite(statement.orelse or (), loop, preloaded))
