"""Policies side by side: what each makes of the same buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from smemdsl.core.units import format_size, percent
from smemdsl.judging.compare_policies import top_buffer_above
from smemdsl.judging.result import Report, Result
from smemdsl.output.formats.tables import TOP, blocks, changed, filled, verdict_word
from smemdsl.scenario.binding import show

HEADERS = ("arena B", "waste B", "%", "blocks/SM", "verdict", TOP)


def comparisons(report: Report, write: Callable[..., str]) -> Iterator[tuple[str, list[str], str]]:
    """For each scenario and budget a title, lines about it, and a table of the policies."""
    for (path, _), group in groupby(report.results, _scenario_and_budget):
        results = list(group)
        plan, budget = results[0].verdict.plan, results[0].verdict.budget
        lines = [] if plan.filled else [" ".join(f"{name}={show(v)}" for name, v in plan.params.items())]
        lines.append(f"{budget.name}: {format_size(budget.bytes)}")
        lines += _bounds(results)
        yield f"{plan.name} ({path})", [line for line in lines if line], _table(results, write)


def _scenario_and_budget(result: Result) -> tuple[str, str]:
    return result.path, result.verdict.budget.name


def _bounds(results: list[Result]) -> Iterator[str]:
    """What no arena can go below: one number, unless the policies were filled to different values."""
    bounds = dict.fromkeys((changed(r.verdict.plan), r.bound) for r in results if r.bound is not None)
    for parameters, bound in bounds:
        which = f" with {parameters}" if len(bounds) > 1 else ""
        yield f"no arena{which} can go below {format_size(bound)}"


def _table(results: list[Result], write: Callable[..., str]) -> str:
    parameters = any(result.verdict.plan.filled for result in results)
    headers = ["policy", *(["filled to"] if parameters else []), *HEADERS]
    rows = [
        [r.verdict.plan.policy, *([filled(r.verdict.plan)] if parameters else []), *_cells(r)]
        for r in results
    ]
    return write(headers, rows, 2 if parameters else 1)


def _cells(result: Result) -> list[str]:
    verdict, bound = result.verdict, result.bound or 0
    waste = verdict.arena_bytes - bound
    sizes = [str(verdict.arena_bytes), str(waste), percent(waste, bound).rstrip(" %")]
    return [*sizes, blocks(verdict), verdict_word(verdict), _highest(result, waste)]


def _highest(result: Result, waste: int) -> str:
    """The buffer at the top, where it ends above the bound; else what the arena is rounded up by."""
    highest = top_buffer_above(result.verdict.plan, result.bound or 0)
    if highest is not None:
        return f"{highest.name} at {highest.start}..{highest.end}"
    return "rounded up" if waste else "-"
