"""Parameters get their values: order, overrides, what each expression may see."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.api import load, loads
from smemdsl.core.errors import ScenarioError
from smemdsl.scenario.binding import bind, plain
from tests.texts import GEMM, scenario


def bound(params: str, **given: Any) -> dict[str, Any]:
    """Values by name, as json would have them."""
    found = scenario(f"{params}\nbuffers: {{}}\n")
    return {name: plain(value) for name, value in bind(found.spec, found.choices(given)).items()}


@pytest.mark.parametrize(
    ("params", "given", "expected"),
    [
        ("params: {a: 1, b: a + 1, c: a + b}", {}, {"a": 1, "b": 2, "c": 3}),
        ("params: {a: 1, b: a + 1, c: a + b}", {"a": 10}, {"a": 10, "b": 11, "c": 21}),
        ("params: {a: 1, b: a + 1, c: a + b}", {"b": 5}, {"a": 1, "b": 5, "c": 6}),
        ("params: {a: 1, b: 2}", {"b": "a * 8"}, {"a": 1, "b": 8}),
        ("params: {t: float16, n: sizeof(t)}", {}, {"t": "float16", "n": 2}),
        ("params: {t: fp16}", {"t": "torch.bfloat16"}, {"t": "bfloat16"}),
        ("params: {on: true, n: 4 if on else 2}", {"on": False}, {"on": False, "n": 2}),
        ("params: {n: 2 > 1}", {}, {"n": True}),
        ("params: {n: '4'}", {}, {"n": 4}),
        ("threads: 128\nparams: {n: threads * 2}", {}, {"threads": 128, "n": 256}),
        ("params: {n: 2}\nthreads: n * 64\nregisters: n + 30", {}, {"n": 2, "threads": 128, "registers": 32}),
        ("params: {threads: 5}", {}, {"threads": 5}),
        ("params: {}", {}, {}),
    ],
)
def test_environment(params: str, given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Each parameter sees those above it, with the values given; and `threads`, where it is a number."""
    assert bound(params, **given) == expected


def test_what_changed_is_what_differs_from_the_file() -> None:
    """A parameter counts as changed if its value is another one, also through one above it."""
    text = "params: {a: 1, b: a + 1, c: 7}\nbuffers: {}\n"
    assert scenario(text).plan(a=2, c=7).changed == ("a", "b")
    assert scenario(text).plan(a="2 - 1").changed == ()
    assert scenario(text).plan().changed == ()


def test_a_file_whose_own_values_have_no_meaning() -> None:
    """Values that are given make a scenario of it, and all parameters count as changed."""
    text = "params: {a: 1 // 0}\nbuffers: {}\n"
    assert scenario(text).plan(a=2).changed == ("a",)


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ({}, True),
        ({"num_stages": 7}, True),
        ({"num_stages": 8}, False),
        ({"block_K": 24}, False),
        ({"num_stages": 0}, False),
        ({"block_M": -1}, False),
        ({"num_stages": "block_M // 32"}, True),
    ],
)
def test_fits_prunes(given: dict[str, Any], fits: bool) -> None:
    """In a pruning hook, what is over, breaks a constraint or has no meaning does not fit."""
    assert loads(GEMM).fits(**given) is fits


def test_fits_knows_no_other_names() -> None:
    """A name that the scenario has not is an error, not a configuration that does not fit."""
    with pytest.raises(ScenarioError, match="num_stage"):
        loads(GEMM).fits(num_stage=2)


def test_loading(tmp_path: Any) -> None:
    """A file gives one scenario, named by its stem where it has no name; several files are none."""
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text("smemdsl: 1\nbuffers: {}\n", encoding="utf-8")
    assert load(tmp_path / "one.yaml").name == "one"
    assert load("builtin:epilogue").name == "epilogue"
    for path in (tmp_path, tmp_path / "none.yaml", "builtin:", "builtin:none", tmp_path / "*.yaml"):
        with pytest.raises(ScenarioError):
            load(path)
