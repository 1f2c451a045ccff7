"""How many copies (versions) of each buffer pipelined loops need.

With d the least stage of its writers and u the greatest stage of its accesses, a buffer has u - d + 1
versions, less one unless some writer comes before some reader both in order and in stage. A buffer that
nothing in a pipelined loop fills has one. In a warp-specialised kernel a buffer that the producer fills has
one for each of the loop's stages; a loop of it that is planned too, as in another launch beside a specialised
one, makes that stages squared. All places that touch a buffer must see the same number
(`unify_versions.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.pipeline_planning import Plan, Step, steps_of
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule
from smemdsl.program.statements import If, Loop, Statement
from smemdsl.program.walk import children, fills, reads, writes

RULE = Rule(
    "inject-pipeline/versions",
    compiler="TileLang",
    passes="InjectSoftwarePipeline; MultiVersionBuffer where warps are specialised",
    source="src/transform/inject_pipeline.cc, src/cuda/transform/multi_version_buffer_rewriter.cc",
    since="0.1.15",
    evidence="112 buffers of the recorded loops, and 643 pairs of a writer and a reader",
)


class Versions(NamedTuple):
    """A number of versions and why."""

    number: int
    why: Provenance


ONE = Versions(1, RULE.because("no pipelined loop fills it ahead of its use: one version"))


def versions(steps: Sequence[Step], planned: Plan) -> dict[str, int]:
    """Versions of each buffer that a software-pipelined loop touches.

    With d the least stage of its writers and u the greatest stage of its accesses: u - d + 1, less one unless
    some writer comes before some reader both in order and in stage. Held for all 112
    buffers of the recorded loops.
    """
    names = dict.fromkeys(name for step in steps for name in step.touches)
    return {name: max(_span(name, steps, planned).versions, 1) for name in names}


class _Span(NamedTuple):
    """The stages over which a buffer is filled and read."""

    least: int
    greatest: int
    ahead: bool
    """Some writer comes before some reader both in order and in stage."""

    @property
    def versions(self) -> int:
        return self.greatest - self.least + 1 - (not self.ahead)


def _span(name: str, steps: Sequence[Step], planned: Plan) -> _Span:
    writers = [index for index, step in enumerate(steps) if name in step.writes]
    readers = [index for index, step in enumerate(steps) if name in step.reads + step.indexes]
    if not writers or not planned.pipelined:
        return _Span(0, 0, ahead=True)
    least = min(planned.stages[index] for index in writers)
    greatest = max(planned.stages[index] for index in writers + readers)
    ahead = any(
        planned.order[writer] < planned.order[reader] and planned.stages[writer] < planned.stages[reader]
        for writer in writers
        for reader in readers
    )
    return _Span(least, greatest, ahead)


def planned_versions(loop: Loop, planned: Plan) -> dict[str, Versions]:
    """Versions in a loop that is software-pipelined, with the reason for each buffer."""
    _, steps = steps_of(loop)
    spans = {name: _span(name, steps, planned) for name in versions(steps, planned)}
    return {
        name: Versions(span.versions, RULE.because(_why(span, loop.name)))
        for name, span in spans.items()
        if span.versions > 1
    }


def _why(span: _Span, loop: str) -> str:
    less = "" if span.ahead else ", less one as the fill is ordered after the last read"
    stages = f"stages {span.least} to {span.greatest} of loop {loop}"
    return f"filled and read across {stages}{less}: {span.versions} versions"


def filled_versions(loop: Loop) -> dict[str, Versions]:
    """Versions in a warp-specialised kernel, before anything is planned.

    What a statement of a loop with `num_stages` writes first, and a later one reads, has num_stages versions
    if that statement reads global memory too, be it for something else, such as the scales of what it
    dequantises (`is_copy_stage` of the compiler's MultiVersionBufferRewriter; as compiled in the kernels of
    `tests/oracle/kernels/fills.py`). A second such loop, which is planned afterwards, squares them (one
    kernel).
    """
    if loop.num_stages < 2:
        return {}
    why = RULE.because(f"loop {loop.name} fills it from global memory: one version for each of its stages")
    return {name: Versions(loop.num_stages, why) for name in _filled(loop)}


def _filled(loop: Loop) -> list[str]:
    body = _without_ifs(loop.body)
    first_writer: dict[str, int] = {}
    for index, statement in enumerate(body):
        for name in writes(statement):
            first_writer.setdefault(name, index)
    return [
        name
        for name, index in first_writer.items()
        if fills(body[index]) and any(name in reads(later) for later in body[index + 1 :])
    ]


def _without_ifs(body: Sequence[Statement]) -> list[Statement]:
    flat: list[Statement] = []
    for statement in body:
        flat += _without_ifs(children(statement)) if isinstance(statement, If) else [statement]
    return flat
