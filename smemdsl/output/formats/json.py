"""JSON: integers of bytes, a stable order, and a version of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from smemdsl.core.buffers import Bytes
from smemdsl.core.confidence import APPROXIMATE, BOUND, Uncertainty, confidence, reasons
from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import json_text
from smemdsl.judging.compare_policies import PolicyResult, top_buffer_above
from smemdsl.judging.judge import occupancy_headroom
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.result import Report, Result, Summary
from smemdsl.judging.verdict import Verdict
from smemdsl.packing.layout import hand_overs, storage_groups
from smemdsl.scenario.binding import plain
from smemdsl.sweeping import RowField, RowFormat, Stream, SweepRow, SweepSubject, SweepTable, Tally

if TYPE_CHECKING:
    from smemdsl.review.changes import Diff

SCHEMA_VERSION = 1


def check(report: Report) -> Iterator[str]:
    """All results, without buffers."""
    return _report(report, [_result(result) for result in report.results])


def pack(report: Report) -> Iterator[str]:
    """All results, with buffers, peak, storage groups, hand-overs and steps of occupancy."""
    return _report(report, [_result(result) | _layout(result) | _why(result) for result in report.results])


comparison = pack


def sweep(table: SweepTable, rows: Iterable[SweepRow], tally: Tally) -> Iterator[str]:
    """One result a row, as the rows come; counts at the end."""
    stream = sweep_stream(table)
    yield stream.head
    for i, row in enumerate(rows):
        yield (stream.between if i else "") + stream.line.text(row)
    yield stream.tail(tally)


def sweep_stream(table: SweepTable) -> Stream:
    """How a sweep is written: a result a row, on a line of its own."""
    head = {"schema_version": SCHEMA_VERSION, "command": "sweep", "axes": list(table.columns)}

    def tail(tally: Tally) -> str:
        diagnostics = [_diagnostic(item) for item in tally.diagnostics]
        return f'\n], "diagnostics": {_dump(diagnostics)}, "summary": {_dump(tally.counts())}}}\n'

    line = RowFormat(lambda row: "\n  " + _dump(_row(table, row)), _parts, lambda v: _dump(plain(v)), "null")
    return Stream(_dump(head)[:-1] + ', "results": [', ",", line, tail)


def _parts(subject: SweepSubject) -> list[str | RowField]:
    """What `_row` writes of a verdict, its numbers left open; nothing where a search may add some."""
    if subject.policy == "optimal":
        return []
    parts: list[str | RowField] = [
        f'\n  {{"path": {_dump(subject.path)}, "scenario": {_dump(subject.scenario)}'
    ]
    parts.append(', "params": {')
    for i, name in enumerate(subject.params):
        parts += ((", " if i else "") + f"{_dump(name)}: ", RowField(name, param=True))
    budget = f'{{"name": {_dump(subject.budget)}, "bytes": '
    parts += (f'}}, "policy": {_dump(subject.policy)}, "budget": {budget}', RowField("budget"), "}")
    for name in ("static", "no_reuse", "peak", "arena", "used", *(["request"] if subject.request else [])):
        parts += (f', "{name}_bytes": ', RowField(name))
    parts += (
        ', "verdict": "',
        RowField("word"),
        '", "limit": ',
        RowField("limit"),
        ', "blocks_per_sm": ',
        RowField("blocks"),
    )
    return [*parts, f", {_dump(_sureness(subject.uncertain))[1:]}"]


def diff(found: Diff) -> Iterator[str]:
    """Every change with both values of what it is about, and what explains it."""
    from smemdsl.output.formats.changes_data import changes

    value = {
        "schema_version": SCHEMA_VERSION,
        "command": "diff",
        "old": found.old,
        "new": found.new,
        **changes(found),
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in found.diagnostics],
    }
    yield json_text(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def _report(report: Report, results: list[dict[str, Any]]) -> Iterator[str]:
    value = {
        "schema_version": SCHEMA_VERSION,
        "command": report.command,
        "results": results,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in report.diagnostics],
        "summary": _summary(report.summary),
    }
    yield json_text(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def _dump(value: Any) -> str:
    return json_text(json.dumps(value, ensure_ascii=False))


def _result(result: Result) -> dict[str, Any]:
    verdict = result.verdict
    value = {"path": result.path, **_verdict(verdict)}
    if result.bound is not None:
        value |= _waste(verdict.plan, result.bound)
    if result.rivals:
        value["compared"] = [_rival(rival) for rival in result.rivals]
    if result.suggestions is not None:
        value["suggestions"] = [suggestion._asdict() for suggestion in result.suggestions]
    return value


def _rival(rival: PolicyResult) -> dict[str, Any]:
    packing = rival.packing
    value: dict[str, Any] = {"policy": rival.policy, "arena_bytes": packing.arena}
    if packing.lower_bound is not None:
        value |= {"lower_bound_bytes": packing.lower_bound, "proved": packing.proved}
    return value


def _waste(plan: ArenaPlan, bound: Bytes) -> dict[str, Any]:
    highest = top_buffer_above(plan, bound)
    return {
        "lower_bound_bytes": bound,
        "waste_bytes": plan.packing.arena - bound,
        "highest_buffer": None if highest is None else highest._asdict(),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    plan = verdict.plan
    value: dict[str, Any] = {
        "scenario": plan.name,
        "params": {name: plain(value) for name, value in plan.params.items()},
        "policy": plan.policy,
        "budget": {"name": verdict.budget.name, "bytes": verdict.budget.bytes},
        "static_bytes": plan.lowered.static_bytes,
        "no_reuse_bytes": plan.no_reuse,
        "peak_bytes": plan.peak.bytes,
        "arena_bytes": plan.packing.arena,
        "used_bytes": plan.used,
    }
    if plan.request is not None:
        value["request_bytes"] = plan.request
    if plan.packing.lower_bound is not None:
        value |= {"lower_bound_bytes": plan.packing.lower_bound, "proved": plan.packing.proved}
    if plan.filled:
        value["filled"] = {name: plain(plan.params[name]) for name in plan.filled}
    value |= {"verdict": verdict.verdict, "limit": verdict.limit, "blocks_per_sm": verdict.blocks_per_sm}
    value |= _sureness(verdict.uncertain)
    if plan.lowered.program is not None:
        from smemdsl.program.provenance import plain_loops  # loaded already, by the lowering

        value["loops"] = plain_loops(plan.lowered.program)
    if verdict.over_expected:
        value["over_expected"] = True
    return value


def _sureness(uncertain: tuple[Uncertainty, ...]) -> dict[str, Any]:
    """How sure the numbers are, and why not surer."""
    why = {kind: list(found) for kind in (BOUND, APPROXIMATE) if (found := reasons(uncertain, kind))}
    return {"confidence": confidence(uncertain), **why}


def _layout(result: Result) -> dict[str, Any]:
    verdict = result.verdict
    plan = verdict.plan
    buffers, offsets = plan.lowered.buffers, plan.packing.offsets
    names = [buffer.name for buffer in buffers]
    steps = occupancy_headroom(verdict)
    return {
        **({"largest": dict(result.largest)} if result.largest else {}),
        "blocks_limited_by": list(verdict.occupancy.limiters) if verdict.occupancy else [],
        "blocks_steps": None if steps is None else steps._asdict(),
        "buffers": [placed._asdict() for placed in plan.layout],
        "static_buffers": [buffer._asdict() for buffer in plan.lowered.statics],
        "peak": {"slot": plan.peak.slot, "buffers": [names[i] for i in plan.peak.live]},
        "storage_groups": [
            {"start": g.start, "end": g.end, "buffers": [names[i] for i in g.members]}
            for g in storage_groups(buffers, offsets)
        ],
        "hand_overs": [
            {"slot": h.slot, "buffer": names[h.buffer], "from": [names[i] for i in h.previous]}
            for h in hand_overs(buffers, offsets)
        ],
    }


def _why(result: Result) -> dict[str, Any]:
    return {"why": [reason._asdict() for reason in result.reasons]} if result.reasons else {}


def _row(table: SweepTable, row: SweepRow) -> dict[str, Any]:
    """A row of a sweep: a result, or what was asked for where it is INVALID or nothing fits."""
    head = {"path": row.path}
    if row.verdict is not None:
        return head | _verdict(row.verdict)
    pairs = row.params.items() if row.params else zip(table.columns, row.values, strict=True)
    values = {name: v if v is None or isinstance(v, str) else plain(v) for name, v in pairs}
    return head | {
        "scenario": row.scenario,
        "params": values,
        "budget": {"name": row.budget},
        "verdict": row.word,
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    fields = ("path", "line", "column", "severity", "code", "message", "hint")
    value = {field: getattr(diagnostic, field) for field in fields}
    return value | {"why": diagnostic.why} if diagnostic.why else value


def _summary(summary: Summary) -> dict[str, int]:
    return {field: getattr(summary, field) for field in ("scenarios", "ok", "over", "fail", "invalid")}
