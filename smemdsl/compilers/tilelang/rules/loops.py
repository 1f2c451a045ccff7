"""What became of each loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.pipeline_planning import plan, steps_of
from smemdsl.compilers.tilelang.rules.producer_consumer_split import Specialised
from smemdsl.program.lowered import LoopInfo
from smemdsl.program.statements import Loop, Statement
from smemdsl.program.walk import asks_for_stages, children, everything


def planned_loops(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> list[Loop]:
    """The loops that planning sees: those with num_stages, but the one that was split.

    It does not look into a loop that it plans: what is inside stays as it is (as compiled for four numbers
    of stages of `pipeline_in_pipeline` in `tests/oracle/kernels/fresh.py`).
    """
    if special.dropped or not kernel.target.pipelines:
        return []
    return list(_planned(body, special))


def _planned(body: Sequence[Statement], special: Specialised) -> Iterator[Loop]:
    for statement in body:
        if isinstance(statement, Loop) and asks_for_stages(statement) and statement is not special.split:
            yield statement
        else:
            yield from _planned(children(statement), special)


def loops_of(body: Sequence[Statement], special: Specialised, kernel: Kernel) -> Iterator[LoopInfo]:
    """What became of each loop, in source order."""
    planned = planned_loops(body, special, kernel)
    for loop in (each for each in everything(body) if isinstance(each, Loop)):
        if loop is special.split:
            yield LoopInfo(loop.name, pipelined=True, warp_specialized=True)
        elif any(loop is each for each in planned):
            found = plan(steps_of(loop)[1], loop.num_stages, loop.where)
            yield LoopInfo(loop.name, found.pipelined, found.stages, found.order)
        else:
            yield LoopInfo(loop.name, pipelined=False)
