"""Lint idle-expectation: an expectation that cannot fail."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

HEAD = (
    "budget: sm_90\nparams: {n: 1}\nsweep: {n: 1..4}\nbuffers: {a: {bytes: 8, versions: n}, b: {bytes: 8}}\n"
)
IDLE = [
    "{arena: '>= 0'}",
    "{arena_min: 0}",
    "{arena: '> 0 - 1'}",
    "{versions: {a: '>= 1'}}",
    "{versions: {a: '> 0'}}",
    "{versions: {a: '!= 0'}}",
    "{blocks_per_sm: '>= 0'}",
    "{max: {n: '<= 4'}}",
    "{max: {n: '< 5'}}",
    "{max: {n: '!= 5'}}",
    "{share: [[a, a]]}",
    "{devices: {sm_80: {arena: '>= 0'}}}",
]
REAL = [
    "{arena: 16}",
    "{arena: '>= 1'}",
    "{arena: '> 0'}",
    "{arena_max: 128}",
    "{versions: {a: 1}}",
    "{versions: {a: '<= 1'}}",
    "{blocks_per_sm: '>= 1'}",
    "{max: {n: 4}}",
    "{max: {n: '>= 1'}}",  # nothing may fit
    "{fits: true}",
]


@pytest.mark.parametrize("expect", IDLE)
def test_what_cannot_fail(expect: str) -> None:
    """It is reported at the expectation, of the file or of one device."""
    assert len(found("idle-expectation", f"{HEAD}expect: {expect}")) == 1


@pytest.mark.parametrize("expect", REAL)
def test_what_can_fail(expect: str) -> None:
    """A number that another kernel would not meet is a promise."""
    assert found("idle-expectation", f"{HEAD}expect: {expect}") == []


def test_without_an_axis_there_is_no_largest_value() -> None:
    """A parameter that the file does not sweep has no end that a comparison could be idle at."""
    text = HEAD.replace("sweep: {n: 1..4}\n", "") + "expect: {max: {n: '<= 64'}}"
    assert found("idle-expectation", text) == []
