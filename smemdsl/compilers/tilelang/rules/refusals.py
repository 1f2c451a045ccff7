"""What these rules refuse, and where they may be wrong: said, not guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.launch import threads_in_doubt
from smemdsl.compilers.tilelang.rules.pipeline_planning import split_conditions
from smemdsl.compilers.tilelang.rules.producer_consumer_split import Specialised
from smemdsl.compilers.tilelang.rules.warp_specialize import can_be_tma, is_producer, loop_statements
from smemdsl.core.confidence import Uncertainty, approximate
from smemdsl.core.errors import Fault
from smemdsl.program.statements import Compute, Copy, If, Loop, Statement
from smemdsl.program.walk import asks_for_stages, children, everything, is_copy, reads, touches, writes


def overlapping_copies(loops: Iterable[Loop]) -> Iterator[Fault]:
    """`overlapping-copies`: in a loop that is planned, a statement writes what a copy before it filled.

    The compiler refuses it too ("Multiple writes to overlapping buffer regions"): with the copy an iteration
    ahead, the two would overwrite each other. It accepts regions that do not overlap; a program has none.
    """
    for loop in loops:
        filled: set[str] = set()
        for statement in split_conditions(loop.body):
            for name in dict.fromkeys(writes(statement)):
                if name in filled:
                    message = f"{name!r} is already filled by a copy in this pipelined loop"
                    hint = "give parts that do not overlap buffers of their own"
                    yield Fault(_writer(statement, name).where, "overlapping-copies", message, hint)
            if is_copy(statement):
                filled.update(writes(statement))


def _writer(statement: Statement, name: str) -> Statement:
    inner = next((each for each in children(statement) if name in writes(each)), None)
    return statement if inner is None else _writer(inner, name)


def doubts(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> tuple[Uncertainty, ...]:
    """Why the answer may differ from the compiler's: what the rules are known not to cover."""
    found: list[str] = []
    if kernel.target.has_tma and any(map(_is_specialised_by_hand, everything(body))):
        found.append("warp specialisation by hand: barriers that the kernel allocates itself are not counted")
    if special.split is not None and _may_move(special.split):
        found.append(
            "a plain copy, or a `compute` that only writes, before the first reader of a TMA copy: the"
            " producer may run it"
        )
    if special.split is not None and threads_in_doubt(special.split, kernel):
        found.append(
            "a plain copy in the split loop: the launch may have as many producer threads as consumer threads"
        )
    if kernel.options.aggressive_merge and any(_may_be_several(each, kernel) for each in everything(body)):
        found.append("aggressive merge: a `compute` on several buffers may be several statements")
    return (*kernel.target.uncertain, *map(approximate, found))


def _is_specialised_by_hand(statement: Statement) -> bool:
    """A pipelined loop of nothing but `if`s, of which some only copy and some only compute."""
    body = children(statement)
    return (
        asks_for_stages(statement)
        and len(body) > 1
        and all(isinstance(each, If) and each.orelse is None for each in body)
        and len({is_copy(each) for each in body}) == 2
    )


def _may_move(loop: Loop) -> bool:
    """Whether the compiler may move statements of the consumer into the producer.

    It does where nothing else stands before the first reader of a TMA copy: copies without TMA, if source and
    destination have one dtype, and element loops from registers into shared memory (seen in kernels made to
    tell, which are not kept). A program says neither.
    """
    consumer = [each for each in loop_statements(loop) if not is_producer(each)]
    start = 0
    for copy in filter(can_be_tma, loop_statements(loop)):
        name = writes(copy)[0]
        first = next((index for index, each in enumerate(consumer) if name in reads(each)), 0)
        if first > start:
            if all(map(_is_movable, consumer[start:first])):
                return True
            start = first
    return False


def _is_movable(statement: Statement) -> bool:
    plain = isinstance(statement, Compute) and bool(statement.writes) and not statement.reads
    return plain or isinstance(statement, Copy)


def _may_be_several(statement: Statement, kernel: Kernel) -> bool:
    """A `compute` that writes two buffers, or makes one of two others and casts on the way.

    Of the 44 recorded programs with aggressive merge 6 have one, and 2 of these have another total: the only
    ones but one that do.
    """
    if not isinstance(statement, Compute):
        return False
    dtypes = {kernel.buffers[name].dtype_bits for name in touches(statement)}
    casts = len(dtypes) > 1 and bool(statement.writes) and len(touches(statement)) > 2
    return len(statement.writes) > 1 or casts
