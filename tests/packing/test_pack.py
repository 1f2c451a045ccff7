"""What every policy promises, and the door to them all."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

import pytest
from hypothesis import given, settings

from smemdsl.compilers.tilelang import merge_shared_memory
from smemdsl.core.buffers import Buffer, Packing
from smemdsl.core.errors import InternalError, UnknownNameError
from smemdsl.policies import POLICIES, pack, policy_names

from . import reference
from .instances import buffer_lists

HEURISTICS = ("tilelang", "sequential", "triton", "struct", "firstfit")
BOUNDED = ("tilelang", "sequential", "struct", "firstfit")
"""Those that never take more than every buffer and its alignment gap, end to end; triton may."""

each_policy = pytest.mark.parametrize("policy", HEURISTICS)
each_bounded = pytest.mark.parametrize("policy", BOUNDED)
two_buffers = [Buffer("A", 64, 16, 0, 4), Buffer("B", 32, 16, 2, 6)]


@each_policy
@settings(deadline=None)
@given(buffers=buffer_lists())
def test_no_clash_and_no_less_than_the_peak(policy: str, buffers: list[Buffer]) -> None:
    """Offsets are aligned, no two live buffers share a byte, and the arena is at least the peak."""
    packing = pack(policy, buffers, 16)
    assert reference.is_valid(buffers, packing.offsets, packing.arena)
    assert packing.arena >= reference.peak(buffers)[0]
    assert (packing.lower_bound, packing.proved) == (None, None)


@each_bounded
@settings(deadline=None)
@given(buffers=buffer_lists())
def test_never_more_than_everything_with_its_gap(policy: str, buffers: list[Buffer]) -> None:
    """The arena is at most the sum of all sizes, each with the largest gap before it, rounded once."""
    packing = pack(policy, buffers, 16)
    worst = sum(buffer.bytes + buffer.align - 1 for buffer in buffers)
    assert packing.arena <= reference.align_up(worst, max([16, *(buffer.align for buffer in buffers)]))


@each_bounded
@settings(deadline=None)
@given(buffers=buffer_lists(aligns=(16,)))
def test_never_more_than_no_reuse_where_alignments_agree(policy: str, buffers: list[Buffer]) -> None:
    """With one alignment for all, the arena is at most the sum of the rounded sizes."""
    packing = pack(policy, buffers, 16)
    assert packing.arena <= sum(reference.align_up(buffer.bytes, 16) for buffer in buffers)


@each_policy
@settings(deadline=None)
@given(buffers=buffer_lists())
def test_names_matter_only_by_their_order(policy: str, buffers: list[Buffer]) -> None:
    """The same buffers under other names of the same order get the same offsets, time and again."""
    order = sorted(buffer.name for buffer in buffers)
    renamed = [buffer._replace(name=f"tile{order.index(buffer.name):03}") for buffer in buffers]
    assert pack(policy, renamed, 16) == pack(policy, buffers, 16) == pack(policy, tuple(buffers), 16)


@each_policy
@settings(deadline=None)
@given(buffers=buffer_lists(smallest=0))
def test_what_is_empty_takes_no_part(policy: str, buffers: list[Buffer]) -> None:
    """Buffers of 0 bytes are at offset 0, and all others are where they would be without them."""
    packing = pack(policy, buffers, 16)
    rest = pack(policy, [buffer for buffer in buffers if buffer.bytes], 16)
    filled = tuple(o for o, b in zip(packing.offsets, buffers, strict=True) if b.bytes)
    assert (filled, packing.arena) == (rest.offsets, rest.arena)
    assert all(o == 0 for o, b in zip(packing.offsets, buffers, strict=True) if not b.bytes)


@each_policy
def test_nothing_takes_nothing(policy: str) -> None:
    """Without buffers, or with empty ones only, the arena is 0."""
    assert pack(policy, [], 128) == Packing((), 0)
    assert pack(policy, [Buffer("none", 0, 1024, 0, 1)], 128) == Packing((0,), 0)


@each_policy
def test_a_single_buffer_lies_at_0(policy: str) -> None:
    """One buffer is at offset 0, and only struct rounds it, to its own alignment."""
    assert pack(policy, [Buffer("one", 100, 16, 0, 4)], 128) == Packing(
        (0,), 112 if policy == "struct" else 100
    )


def test_every_policy_has_a_module() -> None:
    """Each name in the table leads to a module with `place`; the default comes first."""
    assert policy_names() == tuple(POLICIES)
    assert policy_names()[0] == "tilelang"
    assert all(callable(import_module(module).place) for module in POLICIES.values())


def test_an_unknown_policy_names_the_nearest() -> None:
    """A slip of the pen is answered with the policy that was meant."""
    with pytest.raises(UnknownNameError) as caught:
        pack("titelang", two_buffers, 16)
    assert "titelang" in caught.value.message
    assert "tilelang" in caught.value.hint


@pytest.mark.parametrize(
    ("packing", "words"),
    [
        (Packing((0, 0), 96), "A and B share bytes"),
        (Packing((0, 65), 97), "B at offset 65 is not aligned"),
        (Packing((0, 64), 80), "below the peak"),
        (Packing((0,), 96), "1 offsets for 2 buffers"),
    ],
)
def test_a_broken_promise_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, packing: Packing, words: str
) -> None:
    """Whatever a policy returns is validated, and the error names policy and buffers."""
    monkeypatch.setattr(merge_shared_memory, "place", lambda _buffers, _align: packing)
    with pytest.raises(InternalError, match=words) as caught:
        pack("tilelang", two_buffers, 16)
    assert "tilelang" in str(caught.value)


def test_the_time_limit_reaches_those_that_take_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy with the keyword `time_limit` gets it, or keeps its own where none is given."""
    seen = []

    def place(_buffers: Sequence[Buffer], _align: int, *, time_limit: float = 1.0) -> Packing:
        seen.append(time_limit)
        return Packing((0, 64), 96)

    monkeypatch.setattr(merge_shared_memory, "place", place)
    pack("tilelang", two_buffers, 16)
    pack("tilelang", two_buffers, 16, time_limit=0.25)
    assert seen == [1.0, 0.25]


@each_policy
def test_the_time_limit_changes_nothing_for_the_others(policy: str) -> None:
    """A limit given to a policy that does not search is ignored."""
    assert pack(policy, two_buffers, 16, time_limit=0.0) == pack(policy, two_buffers, 16)


def test_policies_are_imported_when_asked_for() -> None:
    """Importing the package alone loads no policy."""
    code = "import sys, smemdsl.policies as p; print([m for m in p.POLICIES.values() if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@each_policy
@pytest.mark.parametrize("enabled", [True, False])
def test_many_buffers_leave_garbage_collection_as_it_was(policy: str, enabled: bool) -> None:
    """It waits while many buffers are packed, and is on or off afterwards as before."""
    before = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        pack(policy, [Buffer(f"b{i}", 16, 16, i, i + 2) for i in range(1_000)], 16)
        assert gc.isenabled() is enabled
    finally:
        gc.enable() if before else gc.disable()
