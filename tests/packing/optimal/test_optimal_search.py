"""The search below a target: what it exhausts, what it finds, and that it keeps to its limits."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings

from smemdsl.model import Buffer
from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.instance import build
from smemdsl.packing.optimal.orders import FOCUSES, trials
from smemdsl.packing.optimal.search import Search
from tests.packing.optimal.exhaustive import instances, least_arena

FOREVER = 10**6


def endless() -> Clock:
    return Clock(1.0, lambda: 0.0)


@given(instances(6))
@settings(max_examples=120, deadline=None)
def test_a_target_is_met_or_refuted_as_every_order_says(buffers: list[Buffer]) -> None:
    """At the least height a placement is found; one unit lower is refuted, with that height as the bound."""
    instance = build(buffers)
    least = least_arena(buffers) // instance.unit
    blame = [0] * len(instance.members)
    for trial in islice(trials(instance, blame), len(FOCUSES)):
        search = Search(instance, blame)
        found = search.attempt(least, trial, FOREVER, endless())
        assert found.placement is not None
        assert found.placement.height == least
        refuted = search.attempt(least - 1, trial, FOREVER, endless())
        assert refuted.placement is None
        assert refuted.bound == least


@given(instances(6))
@settings(max_examples=60, deadline=None)
def test_refuting_from_far_below_climbs_to_the_least(buffers: list[Buffer]) -> None:
    """Each refuted target gives a higher one that no placement is below, up to the least height."""
    instance = build(buffers)
    least = least_arena(buffers) // instance.unit
    blame = [0] * len(instance.members)
    search, trial = Search(instance, blame), next(trials(instance, blame))
    target = 1
    while (outcome := search.attempt(target, trial, FOREVER, endless())).placement is None:
        assert outcome.bound is not None
        assert target < outcome.bound <= least
        target = outcome.bound
    assert outcome.placement.height == target == least


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_steps_are_limited(limit: int) -> None:
    """An attempt that may take fewer steps than there are buffers finds and proves nothing."""
    instance = build([Buffer(f"b{i}", 1, 1, 0, 1) for i in range(4)])
    blame = [0]
    search = Search(instance, blame)
    outcome = search.attempt(4, next(trials(instance, blame)), limit, endless())
    assert (outcome.placement, outcome.bound, search.steps) == (None, None, limit)


def test_the_clock_stops_an_attempt() -> None:
    """A clock that is over: no step is taken."""
    instance = build([Buffer(f"b{i}", 1, 1, 0, 1) for i in range(4)])
    search = Search(instance, [0])
    outcome = search.attempt(4, next(trials(instance, [0])), FOREVER, Clock(0.0, lambda: 0.0))
    assert (outcome.placement, search.steps) == (None, 0)


def test_trials_are_the_same_every_time() -> None:
    """The noise of later trials is drawn from a fixed seed."""
    instance = build([Buffer(f"b{i}", i + 1, 1, i, i + 3) for i in range(9)])
    one, other = trials(instance, [1] * 9), trials(instance, [1] * 9)
    drawn = [next(one) for _ in range(60)]
    assert drawn == [next(other) for _ in range(60)]
    assert len({trial.order for trial in drawn}) > 6
