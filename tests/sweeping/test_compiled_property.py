"""The compiled sweep is the plain one, row by row, on random scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from smemdsl.api import loads
from smemdsl.cli.sweep_plan import make_table, make_task
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.output.formats import csv, jsonl
from smemdsl.output.formats import json as json_format
from smemdsl.sweeping import SweepRow, SweepTable, Tally, Task, compiled, plain
from tests.sweeping.random_scenarios import axes, configurations, scenarios

OPTIONS = Options()


def task_of(
    value: Mapping[str, Any], options: Options, largest: str | None, given: Mapping[str, str]
) -> tuple[Task, SweepTable]:
    """The sweep that a scenario asks for by itself."""
    try:
        scenario = loads(json.dumps(value), "f.yaml")
        task = make_task(scenario, given, [], [], options, largest)
    except ScenarioError:
        assume(False)
        raise
    return task, make_table([task], largest)


def bare(rows: Iterable[SweepRow]) -> list[SweepRow]:
    """Rows without their verdicts, which the compiled sweep leaves out."""
    return [row._replace(verdict=None) for row in rows]


def counted(tally: Tally) -> tuple[Any, ...]:
    """All that a tally has counted and kept."""
    return tally.counts(), tally.exit_code(), tally.diagnostics


def agree(
    value: Mapping[str, Any],
    options: Options = OPTIONS,
    largest: str | None = None,
    given: Mapping[str, str] | None = None,
) -> None:
    """Both ways give the same rows, lines and counts."""
    task, table = task_of(value, options, largest, given or {})
    slow = Tally()
    rows = list(plain.rows(task, table, slow))
    for fits_only in (False, True):
        wanted = [row for row in rows if row.word == "OK"] if fits_only else rows
        fast = Tally()
        assert bare(compiled.rows(task, table, fast, compiled.RowOptions(None, fits_only, 0))) == bare(wanted)
        assert counted(fast) == counted(slow)
        for style in (csv, json_format, jsonl):
            line = style.sweep_stream(table).line
            fast = Tally()
            lines = list(compiled.rows(task, table, fast, compiled.RowOptions(line, fits_only, 0)))
            assert lines == [line.text(row) for row in wanted]
            assert counted(fast) == counted(slow)


ALIGN = st.sampled_from([None, None, 16, 256])


@given(scenarios(), axes(), ALIGN)
def test_axes(scenario: dict[str, Any], swept: dict[str, Any], align: int | None) -> None:
    """Every combination of axes has the same rows, figures and diagnostics, compiled or not."""
    agree(scenario | {"sweep": swept}, Options(align=align))


@given(scenarios(), axes(), st.sampled_from(["a", "b", "c"]))
def test_largest(scenario: dict[str, Any], swept: dict[str, Any], largest: str) -> None:
    """The largest value that fits is the same, and so is what was skipped or in error on the way to it."""
    agree(scenario | {"sweep": swept}, largest=largest)


@given(scenarios(), configurations(), st.sampled_from([{}, {"c": "2"}, {"b": "a", "kind": "int8"}]))
def test_configurations(
    scenario: dict[str, Any], configs: list[dict[str, Any]], given: dict[str, str]
) -> None:
    """A list of configurations has the same rows, whichever parameters each of them names."""
    agree({**scenario, "configs": configs}, given=given)


@pytest.mark.parametrize(
    "size",
    ["2 % (b * 4611686018427387904 + 3)", "max(4, min(1, b * 4611686018427387904))", "max(9, 8 // (2 - b))"],
)
def test_what_decides_nothing_may_still_raise(size: str) -> None:
    """A part whose value cannot matter is worked out all the same: b = 2 is INVALID in both ways."""
    agree({"smemdsl": 1, "params": {"b": 1}, "sweep": {"b": [1, 2]}, "buffers": {"a": {"bytes": size}}})
