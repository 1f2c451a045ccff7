"""What a Triton kernel is specialised for."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.compilers.triton.capture.signature import Parameter, SignatureError, specialise

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


@pytest.mark.parametrize("text", ["'i32'", "f16x2"])
def test_text_for_a_constexpr(text: str) -> None:
    """A constexpr may be a text; one that is called like a type is quoted."""
    found = specialise(PARAMETERS, [("x", "*kfp16"), ("n", "i32"), ("BLOCK", text)])
    assert found.constants["BLOCK"] == text.strip("'")
    assert found.types["x"] == "*kfp16"


def test_default_as_it_is() -> None:
    """A constexpr that is not given has its default, whatever that is."""
    default = object()
    found = specialise([Parameter("D", True, default)], [])
    assert found.constants["D"] is default


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"x": "*fp16"}, "no --arg for n"),
        ({"x": "*fp16", "n": "i32", "m": "3"}, "no parameter 'm'"),
        ({"x": "*fp17", "n": "i32"}, "Triton has no type 'fp17'; did you mean fp16"),
        ({"x": "*fp16", "n": "int"}, "Triton has no type 'int'"),
        ({"x": "*fp16", "n": "i32", "BLOCK": "i32"}, "BLOCK is a constexpr.* not the type i32"),
        ({"x": "*fp16", "n": "i32", "BLOCK": "*fp16"}, "BLOCK is a constexpr.* not the type"),
        ({"x": "half a pointer", "n": "i32"}, "neither a type"),
    ],
)
def test_refused(args: dict[str, str], message: str) -> None:
    """An argument that is missing, unknown or means nothing is named."""
    with pytest.raises(SignatureError, match=message):
        specialise(PARAMETERS, args.items())
