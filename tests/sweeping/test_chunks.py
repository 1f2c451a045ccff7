"""A sweep in chunks: nothing is lost, nothing comes twice, and the order stays."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from smemdsl.judging.plan import Options
from smemdsl.sweeping import Tally, plain
from smemdsl.sweeping.chunks import chunks, count, part
from tests.sweeping.random_scenarios import axes, configurations, scenarios
from tests.sweeping.test_compiled_property import bare, counted, task_of

SMALL = st.integers(1, 12)


def in_chunks(value: dict[str, Any], largest: str | None, most: int) -> None:
    """The chunks of a sweep, each in a process's copy of the task, together give the whole."""
    task, table = task_of(value, Options(), largest, {"c": "2"} if "configs" in value else {})
    whole = Tally()
    rows = bare(plain.rows(task, table, whole))
    pieces = list(chunks([task], table, most))
    assert sum(piece.size for piece in pieces) == count([task])
    tally = Tally()
    found = []
    for piece in pieces:
        own = Tally()
        (copy,) = pickle.loads(pickle.dumps([task]))
        found += bare(plain.rows(part([copy], table, piece), table, own))
        tally.add(pickle.loads(pickle.dumps(own)))
    assert found == rows
    assert counted(tally) == counted(whole)


@given(scenarios(), axes(), SMALL)
def test_chunks_of_axes(scenario: dict[str, Any], swept: dict[str, Any], most: int) -> None:
    """Axes are cut at one of them, with all combinations of those before it."""
    in_chunks(scenario | {"sweep": swept}, None, most)


@given(scenarios(), axes(), st.sampled_from(["a", "b", "c"]), SMALL)
def test_chunks_for_the_largest_value(
    scenario: dict[str, Any], swept: dict[str, Any], largest: str, most: int
) -> None:
    """The axis whose largest value is wanted is never cut."""
    assume(largest in swept)
    in_chunks(scenario | {"sweep": swept}, largest, most)


@given(scenarios(), configurations(), SMALL)
def test_chunks_of_configurations(scenario: dict[str, Any], configs: list[dict[str, Any]], most: int) -> None:
    """A list is cut anywhere."""
    in_chunks({**scenario, "configs": configs}, None, most)
