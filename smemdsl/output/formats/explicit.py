"""A plan as an explicit scenario: bytes, versions, alignments and live ranges, and nothing left to bind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from smemdsl.core.confidence import reasons
from smemdsl.core.shown import json_text
from smemdsl.judging.verdict import Verdict
from smemdsl.scenario.binding import number
from smemdsl.scenario.spec import ScenarioSpec


def explicit(spec: ScenarioSpec, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The lines of a scenario file that packs to the same bytes, judged by the same budgets."""
    plan = verdicts[0].plan
    lowered = plan.lowered
    yield "# yaml-language-server: $schema=scenario.schema.json"
    yield "smemdsl: 1"
    yield f"name: {_quoted(plan.name)}"
    if spec.summary:
        yield f"summary: {_quoted(spec.summary)}"
    budgets = [v.budget.name if v.budget.preset else v.budget.bytes for v in verdicts]
    yield f"budget: {_quoted(budgets[0] if len(budgets) == 1 else budgets)}"
    if spec.blocks_per_sm is not None:
        yield f"blocks_per_sm: {number(spec.blocks_per_sm, plan.env)}"
    yield f"policy: {plan.policy}"
    yield f"align: {lowered.align}"
    for name, value in (("threads", plan.threads), ("registers", plan.registers), ("cluster", plan.cluster)):
        if value is not None:
            yield f"{name}: {value}"
    if lowered.static_bytes:
        yield f"static: {lowered.static_bytes}"
    if plan.request is not None:
        yield f"request: {plan.request}"
    if plan.uncertain:
        yield "confidence:"
        for kind in dict.fromkeys(item.kind for item in plan.uncertain):
            yield f"  {kind}: {_quoted(reasons(plan.uncertain, kind))}"
    yield "buffers:" if lowered.buffers else "buffers: {}"
    for buffer in plan.layout:
        fields = (
            f"bytes: {buffer.bytes // buffer.versions}, versions: {buffer.versions}, align: {buffer.align}"
        )
        start, end = buffer.live or (0, 0)
        name = _quoted(buffer.name) if not buffer.name.isidentifier() else buffer.name
        yield f"  {name}: {{{fields}, live: [{start}, {end}]}}"
    yield "expect:"
    yield f"  arena: {plan.packing.arena}"


def _quoted(value: Any) -> str:
    """A value in the notation that JSON and YAML share."""
    return json_text(json.dumps(value, ensure_ascii=False))
