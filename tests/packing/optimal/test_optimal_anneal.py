"""Annealing: what it hands out is a placement, lower than asked, and the same every time."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from benchmarks.optimal.exhaustive import least_arena, small
from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal.anneal import Annealing
from smemdsl.packing.optimal.greedy import Placement, lowest_fit
from smemdsl.packing.optimal.instance import Instance, build
from tests.effort import examples
from tests.packing.optimal.exhaustive import instances
from tests.packing.reference import is_valid


def annealed(instance: Instance, least: int) -> Placement:
    """From buffers in the order given down to the least height, or as far as 3000 moves lead."""
    best = lowest_fit(instance, range(len(instance.sizes)))
    annealing = Annealing(instance)
    annealing.begin(best)
    for _ in range(30):
        if best.height == least:
            break
        best = annealing.advance(100, best.height) or best
    return best


@given(instances(6))
@settings(max_examples=examples(60), deadline=None)
def test_placements_are_valid_and_never_too_low(buffers: list[Buffer]) -> None:
    """Placements are valid, of the height they say, and not below the least that every order gives."""
    instance = build(buffers)
    best = annealed(instance, least_arena(buffers) // instance.unit)
    offsets = [offset * instance.unit for offset in best.offsets]
    assert is_valid(buffers, offsets, best.height * instance.unit)
    assert best.height * instance.unit >= least_arena(buffers)


def test_nearly_all_small_instances_end_at_the_least_arena() -> None:
    """Of 300 instances of up to six buffers, those of three seeds alone do not within 3000 moves."""
    missed = set()
    for seed in range(300):
        buffers = small(Random(seed), 6)
        instance = build(buffers)
        least = least_arena(buffers) // instance.unit
        if annealed(instance, least).height != least:
            missed.add(seed)
    assert missed <= {260, 272, 273}


@given(instances(9))
@settings(max_examples=examples(30), deadline=None)
def test_only_what_is_lower_is_handed_out(buffers: list[Buffer]) -> None:
    """At no height below the loads is there anything to find, and equal moves give equal placements."""
    instance = build(buffers)
    annealing = Annealing(instance)
    annealing.begin(lowest_fit(instance, range(len(instance.sizes))))
    assert annealing.advance(100, max(instance.loads)) is None
    assert annealed(instance, 0) == annealed(instance, 0)
