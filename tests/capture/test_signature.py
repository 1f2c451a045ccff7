"""What a Triton kernel is specialised for."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.capture.triton.signature import Parameter, SignatureError, specialise

PARAMETERS = [Parameter("x", False, None), Parameter("n", False, None), Parameter("BLOCK", True, 128)]


@pytest.mark.parametrize(
    ("x", "n", "types", "constants", "divisible"),
    [
        ("*fp16", "i32", ("*fp16", "i32"), {}, (0,)),
        ("*fp16:1", "i32:16", ("*fp16", "i32"), {}, (1,)),
        ("*fp16:16", "i64", ("*fp16", "i64"), {}, (0,)),
        ("*fp32", "1024", ("*fp32", "i32"), {}, (0, 1)),
        ("*fp32", "1000", ("*fp32", "i32"), {}, (0,)),
        ("*fp32", "1", ("*fp32", "constexpr"), {"n": 1}, (0,)),
        ("*fp32", "8589934592", ("*fp32", "i64"), {}, (0, 1)),
        ("None", "i32", ("constexpr", "i32"), {"x": None}, ()),
    ],
)
def test_specialise(
    x: str, n: str, types: tuple[str, str], constants: dict[str, Any], divisible: tuple[int, ...]
) -> None:
    """Pointers are aligned unless said otherwise; integers are specialised as Triton does at launch."""
    found = specialise(PARAMETERS, [("x", x), ("n", n)])
    assert (found.types["x"], found.types["n"]) == types
    assert found.constants == {**constants, "BLOCK": 128}
    assert found.divisible == divisible


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"x": "*fp16"}, "no --arg for n"),
        ({"x": "*fp16", "n": "i32", "m": "3"}, "no parameter 'm'"),
        ({"x": "half a pointer", "n": "i32"}, "neither a type"),
    ],
)
def test_refused(args: dict[str, str], message: str) -> None:
    """An argument that is missing, unknown or means nothing is named."""
    with pytest.raises(SignatureError, match=message):
        specialise(PARAMETERS, args.items())
