"""The compiled search decides as the interpreted one does, and the policy with it as without."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from benchmarks.optimal.exhaustive import least_arena
from smemdsl.core.buffers import Buffer
from smemdsl.packing.optimal import compiled, job, place
from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.instance import Instance, build
from smemdsl.packing.optimal.orders import Trials
from smemdsl.packing.optimal.search import Search
from tests.effort import examples
from tests.packing.optimal.exhaustive import instances
from tests.packing.reference import is_valid

FOREVER = 10**6
HARD = (4, 7, 9, 14, 32)
"""Seeds of rectangles that take the interpreted search 6 to 63 attempts, in less than a second."""
needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed (extra `solver`): nothing is compiled"
)


def endless() -> Clock:
    return Clock(1.0, lambda: 0.0)


def unaligned(buffers: list[Buffer]) -> list[Buffer]:
    return [buffer._replace(align=1) for buffer in buffers]


def cut(seed: int, count: int = 90, height: int = 60, length: int = 40) -> list[Buffer]:
    """A rectangle cut into pieces, so the least arena is its height; more than the search has a memo for."""
    random = Random(seed)
    pieces = [(height, 0, length)]
    while len(pieces) < count:
        areas = [high * (end - start) for high, start, end in pieces]
        high, start, end = piece = pieces.pop(random.choices(range(len(pieces)), areas)[0])
        if random.random() < 0.5 and high > 1:
            at = random.randint(1, high - 1)
            pieces += [(at, start, end), (high - at, start, end)]
        elif end - start > 1:
            at = random.randint(start + 1, end - 1)
            pieces += [(high, start, at), (high, at, end)]
        else:
            pieces.append(piece)
    random.shuffle(pieces)
    return [Buffer(f"b{i}", high, 1, start, end) for i, (high, start, end) in enumerate(pieces)]


def started(instance: Instance, blame: list[int], steps: int = 0) -> Any:
    """A compiled search; imported here, as numba may be missing."""
    from smemdsl.packing.optimal.compiled.search import CompiledSearch

    return CompiledSearch(instance, blame, steps)


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """Whether there is numba is looked up once a process; here, once a test."""
    compiled._search_class.cache_clear()
    yield
    compiled._search_class.cache_clear()


@needs_numba
@given(instances(6))
@settings(max_examples=examples(120), deadline=None)
def test_a_target_is_met_or_refuted_as_every_order_says(buffers: list[Buffer]) -> None:
    """At the least height a valid placement is found; one unit lower is refuted, with that as the bound."""
    buffers = unaligned(buffers)
    instance = build(buffers)
    least = least_arena(buffers) // instance.unit
    blame = [0] * len(instance.members)
    search, trials = started(instance, blame), Trials(instance, blame)
    for trial in [trials.next() for _ in range(12)]:
        found = search.attempt(least, trial, FOREVER, endless()).placement
        assert found.height == least
        assert is_valid(buffers, [offset * instance.unit for offset in found.offsets], least_arena(buffers))
        refuted = search.attempt(least - 1, trial, FOREVER, endless())
        assert (refuted.placement, refuted.bound) == (None, least)


@needs_numba
@pytest.mark.parametrize("seed", range(8))
def test_decisions_are_those_of_the_interpreted_search(seed: int) -> None:
    """Attempts at several targets, some cut short: outcome, steps, depth and blame are equal after each."""
    instance = build(cut(seed))
    one_blame, other_blame = [0] * len(instance.members), [0] * len(instance.members)
    one, other = Search(instance, one_blame), started(instance, other_blame)
    trials = Trials(instance, one_blame)
    peaks = max(instance.loads)
    for number, target in enumerate([peaks, peaks, peaks + 1, peaks + 3, peaks - 1, peaks] * 3):
        trial, limit = trials.next(), 30 * (number + 2)
        outcome = one.attempt(target, trial, limit, endless())
        again = other.attempt(target, trial, limit, endless())
        assert again.placement == outcome.placement
        assert (again.bound is None) == (outcome.bound is None)
        if target >= peaks:  # below, blame and bound do not matter: no attempt is made there
            assert (other.steps, other.deepest, other_blame) == (one.steps, one.deepest, one_blame)
        one_blame[:] = other_blame


@needs_numba
def test_slices_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Returning to Python after each decision, for the clock and Ctrl-C: the same as going through."""
    instance = build(cut(3))
    blames = [[0] * len(instance.members) for _ in range(2)]
    whole = started(instance, blames[0])
    monkeypatch.setattr("smemdsl.packing.optimal.compiled.search._WORK_BETWEEN_LOOKS", 1)
    sliced = started(instance, blames[1])
    trials = Trials(instance, [1] * len(instance.members))
    for trial in [trials.next() for _ in range(10)]:
        found = whole.attempt(max(instance.loads) + 1, trial, 400, endless())
        assert sliced.attempt(max(instance.loads) + 1, trial, 400, endless()) == found
    assert (sliced.steps, blames[1]) == (whole.steps, blames[0])


@needs_numba
def test_the_clock_and_ctrl_c_stop_an_attempt() -> None:
    """A clock that is over: no step is taken. Ctrl-C while the clock is read gets through."""
    instance = build(cut(3))
    search = started(instance, [0] * len(instance.members), steps=7)
    trial = Trials(instance, [0] * len(instance.members)).next()
    outcome = search.attempt(max(instance.loads), trial, FOREVER, Clock(0.0, lambda: 0.0))
    assert (outcome.placement, outcome.bound, search.steps) == (None, None, 7)

    class Interrupted(Clock):
        def over(self) -> bool:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.attempt(max(instance.loads), trial, FOREVER, Interrupted(1.0))


@needs_numba
@pytest.mark.parametrize("seed", HARD)
def test_the_policy_finds_the_same_with_and_without(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled from the second attempt on, soon backward: the least arena, at the offsets found without."""
    buffers = cut(seed)
    monkeypatch.setattr(job, "_DECISIONS_BEFORE_COMPILING", 1)
    monkeypatch.setattr(job, "_DECISIONS_FORWARD", 1000)
    from smemdsl.packing.optimal.compiled import kernel

    taken: list[int] = []
    advance = kernel.advance

    def counted(*arguments: Any) -> tuple[int, int]:
        end, steps = advance(*arguments)
        taken.append(steps)
        return end, steps

    monkeypatch.setattr(kernel, "advance", counted)
    with_numba = place(buffers, 16, time_limit=60.0)
    assert sum(taken) > 0
    assert is_valid(buffers, with_numba.offsets, with_numba.arena)
    assert (with_numba.arena, with_numba.lower_bound, with_numba.proved) == (60, 60, True)
    monkeypatch.setattr(compiled, "_applies", lambda _: False)
    assert place(buffers, 16, time_limit=60.0) == with_numba


def with_time(left: float) -> Clock:
    return Clock(left, lambda: 0.0)


@pytest.mark.parametrize("reason", ["no numba", "little time", "padding", "64 bits", "memory"])
def test_where_the_interpreted_search_has_to_do(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiled search without numba, time to compile, in need of padding, or beyond 64 bits or memory."""
    buffers, left = cut(1), 1000.0
    if reason == "no numba":
        for name in [name for name in sys.modules if name.startswith("smemdsl.packing.optimal.compiled.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "numba", None)
    if reason == "little time":
        left = 7.9
    if reason == "padding":
        buffers[0] = buffers[0]._replace(bytes=17, align=16)
    if reason == "64 bits":
        buffers[0] = buffers[0]._replace(bytes=1 << 59)
    if reason == "memory":
        monkeypatch.setattr(compiled, "_MOST_CELLS", 91 * (90 + 3))
    instance = build(buffers)
    assert compiled.compiled_search(instance, [0] * len(instance.members), 0, with_time(left)) is None


@needs_numba
def test_what_is_loaded_needs_no_time_to_compile() -> None:
    """The second search of a process starts however little time is left, and counts on."""
    instance = build(cut(1))
    blame = [0] * len(instance.members)
    assert compiled.compiled_search(instance, blame, 5, with_time(8.0)) is not None
    again = compiled.compiled_search(instance, blame, 6, with_time(0.1))
    assert again is not None
    assert again.steps == 6


def test_without_numba_the_policy_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba cannot be imported, and the time would do: a valid packing all the same, and nothing raised."""
    monkeypatch.setitem(sys.modules, "numba", None)
    for name in [name for name in sys.modules if name.startswith("smemdsl.packing.optimal.compiled.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(job, "_DECISIONS_BEFORE_COMPILING", 1)
    buffers = cut(HARD[0])
    packing = place(buffers, 16, time_limit=60.0)
    assert packing.arena == 60
    assert is_valid(buffers, packing.offsets, packing.arena)
