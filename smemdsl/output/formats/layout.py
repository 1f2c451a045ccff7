"""The arena of one scenario, in words and a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from smemdsl.core.buffers import PlacedBuffer
from smemdsl.core.confidence import AT_MOST, DOUBTS, SIGNS
from smemdsl.core.units import format_size, percent
from smemdsl.devices import BUDGET
from smemdsl.judging.explain import BufferReason
from smemdsl.judging.judge import occupancy_headroom
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.result import MapOptions, Result
from smemdsl.judging.verdict import Verdict
from smemdsl.output.formats.color import StyledText
from smemdsl.output.formats.tables import filled, in_kib, table, verdict_word
from smemdsl.packing.layout import hand_overs, storage_groups
from smemdsl.scenario.binding import show

HEADERS = ("buffer", "versions", "bytes", "KiB", "align", "live", "offset", "end")


def by_layout(results: Sequence[Result]) -> Iterator[list[Result]]:
    """The results in order, those together that differ in nothing but the budget."""
    for _, group in groupby(results, lambda result: (result.path, id(result.verdict.plan))):
        yield list(group)


def layout(results: Sequence[Result]) -> str:
    """Heading, layout table, totals, shared storage, hand-overs, the verdict on each budget."""
    result = results[0]
    plan = result.verdict.plan
    params = " ".join(f"{name}={show(value)}" for name, value in plan.params.items())
    heading = [f"{plan.name} ({result.path}), policy {plan.policy}", params, filling(result.verdict)]
    parts = [
        "\n".join(line for line in heading if line),
        buffer_table(plan, table),
        "\n".join(totals(plan)),
    ]
    if result.reasons:
        parts.append(reason_table(result.reasons))
    parts += [
        "\n".join([title, *(f"  {line}" for line in lines)]) for title, lines in sections(plan) if lines
    ]
    parts += ["\n".join(judgement(result.verdict)) for result in results]
    return "\n\n".join(part for part in parts if part)


def drawn(results: Sequence[Result], maps: MapOptions) -> StyledText:
    """The map of the arena, with every budget."""
    from smemdsl.output.map import ASCII, UNICODE, memory_map

    style = UNICODE if maps.unicode else ASCII
    return memory_map([result.verdict for result in results], maps.width, style, maps.lines)


def filling(verdict: Verdict) -> str:
    """What the parameters of `fill` were filled to; empty where there are none."""
    plan, budget = verdict.plan, verdict.budget.name
    if not plan.filled:
        return ""
    if verdict.fits and not plan.violated:
        return f"filled to {filled(plan)}: the most that fits {budget}"
    return f"nothing that `fill` may choose fits {budget}: {filled(plan)} needs the least"


def buffer_table(plan: ArenaPlan, write: Callable[..., str]) -> str:
    """One row a buffer in file order; static buffers at the end, outside the arena."""
    rows = list(map(_buffer, plan.layout))
    rows += [
        [s.name, str(s.versions), str(s.bytes), in_kib(s.bytes), "", "static", "", ""]
        for s in plan.lowered.statics
    ]
    return write(HEADERS, rows) if rows else "no buffers"


def _buffer(buffer: PlacedBuffer) -> list[str]:
    size = [str(buffer.versions), str(buffer.bytes), in_kib(buffer.bytes), str(buffer.align)]
    start, end = buffer.live or (0, 0)
    return [buffer.name, *size, f"[{start}, {end})", str(buffer.offset), str(buffer.end)]


def reason_table(reasons: Sequence[BufferReason]) -> str:
    """One row a value, the buffer named in its first."""
    rows = []
    last = None
    for reason in reasons:
        rows.append([reason.buffer if reason.buffer != last else "", *reason[1:]])
        last = reason.buffer
    return table(("why", "", "", "rule", ""), rows, 5)


def totals(plan: ArenaPlan) -> Iterator[str]:
    """No-reuse sum, peak, arena and what is used, in bytes and KiB."""
    yield f"no reuse  {format_size(plan.no_reuse)}"
    makers = " + ".join(plan.lowered.buffers[i].name for i in plan.peak.live)
    yield f"peak      {format_size(plan.peak.bytes)}" + (
        f" at slot {plan.peak.slot}: {makers}" if makers else ""
    )
    bound = plan.packing.lower_bound
    gap = ""
    if bound is not None:
        proved = "optimal" if plan.packing.proved else f"not proved: at least {bound} B"
        gap = f", {proved}"
    sign = SIGNS[plan.confidence]
    yield f"arena     {sign}{format_size(plan.packing.arena)}{gap}"
    if plan.lowered.static_bytes:
        yield f"static    {format_size(plan.lowered.static_bytes)}"
    if plan.request is not None:
        yield f"request   {format_size(plan.request)}"
    yield f"used      {sign}{format_size(plan.used)}"


def sections(plan: ArenaPlan) -> Iterator[tuple[str, list[str]]]:
    """Titles and lines: which buffers share storage, and where it changes hands."""
    buffers, offsets = plan.lowered.buffers, plan.packing.offsets
    names = [buffer.name for buffer in buffers]
    groups = storage_groups(buffers, offsets)
    yield (
        "shared storage",
        [f"{g.start}..{g.end}  {', '.join(names[i] for i in g.members)}" for g in groups],
    )
    yield (
        "storage reuse (a barrier is needed)",
        [
            f"slot {h.slot}: {names[h.buffer]} reuses storage of {', '.join(names[i] for i in h.previous)}"
            for h in hand_overs(buffers, offsets)
        ],
    )


def judgement(verdict: Verdict) -> Iterator[str]:
    """The verdict on the budget, and the blocks per SM with the distance to the next step either way."""
    used, limit = verdict.plan.launch, verdict.budget  # what the launch requests counts, where it does
    room = limit.bytes - used
    left = f"{format_size(room)} left" if room >= 0 else f"{format_size(-room)} too much"
    yield (
        f"{limit.name}  {SIGNS[verdict.plan.confidence]}{format_size(used)} of {format_size(limit.bytes)}, "
        f"{percent(used, limit.bytes)}, {left}: {verdict_word(verdict)}"
    )
    if verdict.obstacle is not None and verdict.limit != BUDGET:
        yield f"cannot be launched: {verdict.obstacle.text}"
    yield from because(verdict)
    if verdict.occupancy is not None:
        blocks = blocks_per_sm(verdict.occupancy.blocks)
        limiters = ", ".join(verdict.occupancy.limiters)
        yield f"{AT_MOST[verdict.plan.confidence]}{blocks}, limited by {limiters}"
        yield from _steps(verdict)


def because(verdict: Verdict) -> Iterator[str]:
    """Why the number is not exact: a line a reason."""
    yield from (f"{DOUBTS[kind]}: {reason}" for kind, reason in verdict.uncertain)


def blocks_per_sm(blocks: int) -> str:
    """`1 block/SM`, `2 blocks/SM`."""
    return f"{blocks} {'block' if blocks == 1 else 'blocks'}/SM"


def _steps(verdict: Verdict) -> Iterator[str]:
    steps = occupancy_headroom(verdict)
    if steps is None:
        return
    sign = AT_MOST[verdict.plan.confidence]
    if steps.fewer is not None:
        yield f"  free {format_size(steps.fewer)} to run {sign}{blocks_per_sm(steps.blocks_with_fewer)}"
    if steps.more is not None:
        yield f"  {format_size(steps.more)} more leaves {sign}{blocks_per_sm(steps.blocks_with_more)}"
