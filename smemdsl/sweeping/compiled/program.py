"""The code of a whole task: nested loops over its parameters, each value worked out in the loop it needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from smemdsl.core.errors import SmemdslError
from smemdsl.judging.verdict import OVER
from smemdsl.sweeping.compiled.answers import JudgedTerms, answers
from smemdsl.sweeping.compiled.arena import arena, floor
from smemdsl.sweeping.compiled.arithmetic import add, extreme
from smemdsl.sweeping.compiled.expressions import TermEnv
from smemdsl.sweeping.compiled.fields import bound, condition, least
from smemdsl.sweeping.compiled.limits import limit
from smemdsl.sweeping.compiled.loops import LoopCode, variables
from smemdsl.sweeping.compiled.lowering import ModelTerms, lower
from smemdsl.sweeping.compiled.source import LargestSearch, every_row, largest_rows
from smemdsl.sweeping.compiled.terms import CodeBuilder, UncompilableError
from smemdsl.sweeping.model import Figures, RowFormat, SweepRow, SweepTable, Tally, Task

Compiled = Callable[[Sequence[Sequence[Any]], Tally, Any], Iterator[Any]]
"""The rows, or lines, given the values of each loop, where to count, and what to do where an error may be."""


class CompiledTask(NamedTuple):
    """A compiled task."""

    source: str
    """The Python that runs: what to read when a sweep is slow."""
    rows: Compiled


def compile_task(
    task: Task,
    table: SweepTable,
    loops: Sequence[LoopCode],
    line: RowFormat | None = None,
    *,
    fits_only: bool = False,
) -> CompiledTask:
    """The code that gives the rows of a task.

    Raises:
        UncompilableError: it has to be done in the plain way.
    """
    spec = task.scenario.spec
    if spec.program is not None or spec.cluster is not None:
        raise UncompilableError
    build = CodeBuilder(len(loops))
    build.namespace.update(
        new=tuple.__new__, Row=SweepRow, Figures=Figures, SmemdslError=SmemdslError, bisect_left=bisect_left
    )
    env = bound(build, spec, variables(build, loops), task.fixed)
    tested = _constraints(build, task, env, loops, once_a_budget=table.largest is not None)
    limits = [limit(build, spec, budget, env) for budget in task.budgets]
    model = lower(build, spec, env, task.options.align)
    request = None if spec.request is None else least(build, 0, spec.request, env)
    sizes = arena(build, model, task.options.policy or spec.policy, task.options.time_limit)
    judged = JudgedTerms(sizes, build.pin(model.static), request, limits)
    search = _search(build, model, judged, loops) if table.largest is not None and not tested else None
    if fits_only or table.largest is not None:
        _cut(build, judged, once=table.largest is not None)
    found = answers(build, task, table, env, judged, line)
    if table.largest is None:
        source = every_row(build, loops, found, fits_only=fits_only)
    else:
        source = largest_rows(build, loops, found, search, fits_only=fits_only)
    return CompiledTask(source, build.function_of(source, "rows"))


def _constraints(
    build: CodeBuilder, task: Task, env: TermEnv, loops: Sequence[LoopCode], *, once_a_budget: bool
) -> bool:
    """Skip what breaks a constraint, as soon as no error can come that would be told instead.

    Returns whether the innermost loop skips anything.
    """
    tests = [build.pin(condition(build, item, env)) for item in task.scenario.spec.constraints]
    uncertain = max((depth for depth, risky in enumerate(build.risky) if risky), default=0)
    deepest = -1
    for test in tests:
        if test.value is False:
            raise UncompilableError
        if test.value is True:
            continue
        depth = max(test.loop, uncertain)
        deepest = max(deepest, depth)
        count = prod(len(loop.values) for loop in loops[depth + 1 :])
        if once_a_budget and depth < build.innermost:
            count *= len(task.budgets)
        build.line(depth, f"if not {test.source}:\n    tally.skipped += {count}\n    continue")
    return deepest == build.innermost


def _search(
    build: CodeBuilder, model: ModelTerms, judged: JudgedTerms, loops: Sequence[LoopCode]
) -> LargestSearch | None:
    """How to bisect: what the innermost loop works out first, and a sum that never falls as it goes on."""
    lowest = add(build, floor(build, model), judged.static)
    steady = all(item.bytes.loop < build.innermost for item in judged.limits)
    if judged.request is not None or not (lowest.rising and steady) or build.risky[-1]:
        return None
    return LargestSearch(tuple(build.lines[-1]), lowest) if len(loops[-1].values) >= 8 else None


def _cut(build: CodeBuilder, judged: JudgedTerms, *, once: bool) -> None:
    """Do not pack what does not fit anyway: the peak alone is too much for every budget."""
    sizes, static, request, limits = judged
    if request is not None or sizes.peak.loop < build.innermost or sizes.peak is sizes.no_reuse:
        return
    most = extreme(build, "max", [item.bytes for item in limits])
    counted = "over = True" if once else f"words['{OVER}'] += {len(limits)}"
    lowest = add(build, sizes.peak, static)
    build.line(build.innermost, f"if {lowest.source} > {most.source}:\n    {counted}\n    continue")
