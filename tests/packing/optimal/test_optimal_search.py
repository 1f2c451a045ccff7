"""The search below a target: what it exhausts, what it finds, and that it keeps to its limits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from benchmarks.optimal.exhaustive import least_arena
from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.instance import build
from smemdsl.packing.optimal.orders import FOCUSES, Trials
from smemdsl.packing.optimal.search import Search
from tests.effort import examples
from tests.packing.optimal.exhaustive import instances

FOREVER = 10**6


def endless() -> Clock:
    return Clock(1.0, lambda: 0.0)


@given(instances(6))
@settings(max_examples=examples(120), deadline=None)
def test_a_target_is_met_or_refuted_as_every_order_says(buffers: list[Buffer]) -> None:
    """At the least height a placement is found; one unit lower is refuted, with that height as the bound."""
    instance = build(buffers)
    least = least_arena(buffers) // instance.unit
    blame = [0] * len(instance.members)
    trials = Trials(instance, blame)
    for trial in [trials.next() for _ in FOCUSES]:
        search = Search(instance, blame)
        found = search.attempt(least, trial, FOREVER, endless())
        assert found.placement is not None
        assert found.placement.height == least
        refuted = search.attempt(least - 1, trial, FOREVER, endless())
        assert refuted.placement is None
        assert refuted.bound == least


@given(instances(6))
@settings(max_examples=examples(60), deadline=None)
def test_refuting_from_far_below_climbs_to_the_least(buffers: list[Buffer]) -> None:
    """Each refuted target gives a higher one that no placement is below, up to the least height."""
    instance = build(buffers)
    least = least_arena(buffers) // instance.unit
    blame = [0] * len(instance.members)
    search, trial = Search(instance, blame), Trials(instance, blame).next()
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
    outcome = search.attempt(4, Trials(instance, blame).next(), limit, endless())
    assert (outcome.placement, outcome.bound, search.steps) == (None, None, limit)


def test_the_clock_stops_an_attempt() -> None:
    """A clock that is over: no step is taken."""
    instance = build([Buffer(f"b{i}", 1, 1, 0, 1) for i in range(4)])
    search = Search(instance, [0])
    outcome = search.attempt(4, Trials(instance, [0]).next(), FOREVER, Clock(0.0, lambda: 0.0))
    assert (outcome.placement, search.steps) == (None, 0)


def test_trials_are_the_same_every_time() -> None:
    """The noise of later trials is drawn from a fixed seed."""
    instance = build([Buffer(f"b{i}", i + 1, 1, i, i + 3) for i in range(9)])
    one, other = Trials(instance, [1] * 9), Trials(instance, [1] * 9)
    drawn = [one.next() for _ in range(60)]
    assert drawn == [other.next() for _ in range(60)]
    assert len({trial.order for trial in drawn}) > 6


def test_manners_that_lead_further_are_repeated_more_often() -> None:
    """Told that one focus of six gets half as far again as the others, trials turn to it in four of ten."""
    instance = build([Buffer(f"b{i}", i + 1, 1, i, i + 3) for i in range(9)])
    trials = Trials(instance, [1] * 9)
    drawn = []
    for _ in range(300):
        trial = trials.next()
        trials.learn(0.9 if trial.focus == FOCUSES[2] else 0.6)
        drawn.append(trial.focus)
    assert drawn[30:].count(FOCUSES[2]) > 0.4 * 270


def test_an_attempt_tells_how_many_buffers_it_placed() -> None:
    """Four of 1 B live together below 3 B: not one is placed; below 4 B: all."""
    instance = build([Buffer(f"b{i}", 1, 1, 0, 1) for i in range(4)])
    search = Search(instance, [0])
    trial = Trials(instance, [0]).next()
    assert search.attempt(4, trial, FOREVER, endless()).placement is not None
    assert search.deepest == 4
    search.attempt(3, trial, FOREVER, endless())
    assert search.deepest == 0
