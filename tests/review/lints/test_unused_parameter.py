"""Lint unused-parameter: a parameter that nothing uses."""

from __future__ import annotations

import pytest

from tests.review.lints.linting import found

USES = [
    "buffers: {a: {bytes: n}}",
    "buffers: {a: {shape: [2, n], dtype: int8}}",
    "buffers: {a: {bytes: 8, versions: n}}",
    "buffers: {a: {bytes: 8, live: [0, n]}}",
    "buffers: {a: {bytes: 8, when: n == 1}}",
    "buffers: {a: {bytes: 8, align: n}}",
    "timeline: [{region: r, statements: n}]\nbuffers: {a: {bytes: 8, access: [r]}}",
    "timeline: [{region: r, extent: 2, stages: [0, n]}]\nbuffers: {a: {bytes: 8, access: {r: [0]}}}",
    "budget: n * 1024\nbuffers: {a: {bytes: 8}}",
    "static: n\nbuffers: {a: {bytes: 8}}",
    "constraints: [n > 0]\nbuffers: {a: {bytes: 8}}",
    "threads: n\nbuffers: {a: {bytes: 8}}",
    "buffers: {a: {bytes: 8}}\nexpect: {arena: 8 * n}",
    "target: sm_90\nthreads: 128\nprogram: [{loop: k, extent: n, body: [copy: a]}]\nbuffers: {a: {bytes: 8}}",
]
NOT = [
    "buffers: {a: {bytes: 8}}",
    "buffers: {n: {bytes: 8}}",  # a buffer may be called like it
    "buffers: {a: {bytes: 8}} # n",
    "buffers: {a: {bytes: 8}}\nsweep: {n: 1..4}",
    "buffers: {a: {bytes: 8}}\nconfigs: [{n: 1}]",
]


@pytest.mark.parametrize("text", USES)
def test_every_use_counts(text: str) -> None:
    """Wherever an expression can stand, a name in it is a use."""
    assert found("unused-parameter", f"params: {{n: 1}}\n{text}") == []


@pytest.mark.parametrize("text", NOT)
def test_what_is_no_use(text: str) -> None:
    """Other things of that name, comments and axes are none; the parameter is reported at its name."""
    assert found("unused-parameter", f"params: {{n: 1}}\n{text}") == ["2:10"]


def test_parameters_use_each_other() -> None:
    """A parameter that another is computed from is used, also where the other is not; a dtype counts too."""
    text = "params: {n: 1, m: n + 1, t: float16}\nbuffers: {a: {shape: [8], dtype: t}}"
    assert found("unused-parameter", text) == ["2:16"]
