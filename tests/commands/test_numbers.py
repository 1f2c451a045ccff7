"""Options that are numbers: nan and inf are none."""

from __future__ import annotations

import pytest

from tests.commands.running import run


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999"])
@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("plot", "builtin:epilogue", "-o", "x.png"), "--width"),
        (("plot", "builtin:epilogue", "-o", "x.png"), "--height"),
        (("capture", "tilelang", "k.py::f", "--target", "sm_90a"), "--time-limit"),
    ],
)
def test_a_number_is_finite(command: tuple[str, ...], option: str, text: str) -> None:
    """A usage error, not a failure later on."""
    done = run(*command, option, text)
    assert (done.code, done.out) == (2, "")
    assert f"Invalid value for '{option}'" in done.err
