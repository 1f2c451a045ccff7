"""The stage and the order number of each statement of a software-pipelined loop.

Copies and loads, and earlier statements that write what a copy reads (transitively), belong to the first
stage. Each is ordered right after its last reader, so that its buffer is free again; every other statement
takes the next order number and stage `num_stages`. If all first-stage statements then come last in order,
they rotate to the front and every other stage drops by one: a plain GEMM becomes stages
`[0, 0, num_stages - 1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.program.rule import Rule
from smemdsl.program.statements import If, Loop, Statement
from smemdsl.program.walk import is_copy, reads, reads_for_values, writes

RULE = Rule(
    "pipeline-planning/stages",
    compiler="TileLang",
    passes="PipelinePlanning",
    source="src/transform/pipeline_planning.cc",
    since="0.1.15",
    evidence="29 recorded loops and 265 recorded programs: stages and order of every statement",
)

NEVER = -1
"""Last reader of a statement whose result nothing in the body reads."""


class Step(NamedTuple):
    """One statement of a loop body, as planning sees it."""

    reads: tuple[str, ...]
    """Without what it reads for an index or an address: `BufferRegionCollector` does not look there."""
    writes: tuple[str, ...]
    copy: bool
    """A pure copy from global into shared memory."""
    indexes: tuple[str, ...] = ()
    """What it reads for those."""

    @property
    def touches(self) -> tuple[str, ...]:
        """All that it reads and writes."""
        return self.reads + self.indexes + self.writes


class Plan(NamedTuple):
    """What planning decided: `stages[i]` and `order[i]` belong to statement i, in source order."""

    stages: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def last_stage(self) -> int:
        """The largest stage."""
        return max(self.stages, default=0)

    @property
    def pipelined(self) -> bool:
        """False where all statements share one stage: the loop then stays as it is."""
        return len(set(self.stages)) > 1

    def in_order(self) -> list[int]:
        """Statement indexes by order number."""
        return sorted(range(len(self.order)), key=lambda index: self.order[index])


def split_conditions(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """An `if` without else counts as one conditional statement for each statement inside.

    From the compiler's pass that binds an `if` to each statement, which runs before planning.
    """
    split: list[Statement] = []
    for statement in statements:
        if isinstance(statement, If) and statement.orelse is None:
            inner = split_conditions(statement.then)
            split += [statement._replace(then=(each,)) for each in inner]
        else:
            split.append(statement)
    return tuple(split)


def steps_of(loop: Loop) -> tuple[tuple[Statement, ...], tuple[Step, ...]]:
    """The statements of a loop's body that planning counts, and what it sees of each."""
    body = split_conditions(loop.body)
    return body, tuple(
        Step(reads_for_values(each), writes(each), is_copy(each), reads(each)) for each in body
    )


def plan(steps: Sequence[Step], num_stages: int, where: DocPath = ()) -> Plan:
    """Stage and order of each statement of a loop body.

    The rule of PipelinePlanning in TileLang 0.1.15; held in all 29 recorded loops. Raises FaultError
    `unplannable` where the compiler gives up too: a first-stage statement whose last reader is another one,
    or one that runs after a reader.
    """
    first = first_stage(steps)
    readers = [last_reader(steps, index) if index in first else NEVER for index in range(len(steps))]
    if any(reader != NEVER and readers[reader] != NEVER for reader in readers):
        message = (
            "the compiler cannot plan this loop: a copy, or what feeds one, is last read by another copy"
        )
        raise FaultError([Fault(where, "unplannable", message)])
    stages, order = [0] * len(steps), [0] * len(steps)
    number = 0
    for index in range(len(steps)):
        if readers[index] != NEVER:
            continue
        stages[index], order[index] = num_stages, number
        number += 1
        for fed in (each for each in range(len(steps)) if readers[each] == index):
            order[fed] = number
            number += 1
    planned = rotate(Plan(tuple(stages), tuple(order)), first, num_stages)
    if is_backward(steps, planned):
        message = "the compiler cannot plan this loop: what is only read for an index comes after its reader"
        raise FaultError([Fault(where, "unplannable", message, "copy the indexes before the loop")])
    return planned


def is_backward(steps: Sequence[Step], planned: Plan) -> bool:
    """Whether a statement would run before one whose result it reads: the compiler refuses the loop.

    Planning does not see what is read for an index; `ValidatePipelineBody` does.
    """
    when = list(zip(planned.stages, planned.order, strict=True))
    return any(
        when[writer] > when[reader]
        for reader in range(len(steps))
        for writer in range(reader)
        if not set(steps[writer].writes).isdisjoint(steps[reader].reads + steps[reader].indexes)
    )


def first_stage(steps: Sequence[Step]) -> frozenset[int]:
    """Copies, and earlier statements that write what a copy reads, transitively."""
    copies = frozenset(index for index, step in enumerate(steps) if step.copy)
    wanted = {name for index in copies for name in steps[index].reads}
    producers: set[int] = set()
    last_copy = max(copies, default=0)
    grown = True
    while grown:
        found = {
            index
            for index in range(last_copy)
            if index not in copies and not wanted.isdisjoint(steps[index].writes)
        }
        grown = found != producers
        producers = found
        wanted |= {name for index in found for name in steps[index].reads}
    return copies | producers


def last_reader(steps: Sequence[Step], index: int) -> int:
    """The last statement after `index` that reads what it writes, or NEVER."""
    written = set(steps[index].writes)
    later = range(len(steps) - 1, index, -1)
    return next((each for each in later if not written.isdisjoint(steps[each].reads)), NEVER)


def rotate(planned: Plan, first: frozenset[int], num_stages: int) -> Plan:
    """First-stage statements that all come last move to the front, if num_stages is 2 or more.

    Every other stage drops by one: a plain GEMM becomes [0, 0, num_stages - 1].
    """
    size = len(planned.order)
    others = [planned.order[index] for index in range(size) if index not in first]
    ahead = min((planned.order[index] for index in first), default=-1)
    if num_stages < 2 or ahead <= max(others, default=0):
        return planned
    stages = tuple(stage - (index not in first) for index, stage in enumerate(planned.stages))
    return Plan(stages, tuple((order + len(first)) % size for order in planned.order))
