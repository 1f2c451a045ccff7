from __future__ import annotations

import pytest

from smemdsl.core.dtypes import find
from smemdsl.scenario.expressions import (
    Constant,
    Name,
    Value,
    as_condition,
    as_number,
    check_names,
    evaluate,
    evaluate_condition,
    evaluate_number,
    is_name,
    is_reserved,
    names,
    parse,
    reserved_as,
)

HALF = find("float16")
ENV: dict[str, Value] = {"a": 7, "b": 2, "n": -7, "zero": 0, "flag": True, "off": False, "dt": HALF}

# Worked out by hand from Python's rules, which the format takes over.
NUMBERS = [
    ("0", 0),
    ("128", 128),
    ("9223372036854775807", 2**63 - 1),
    ("0x1F", 31),
    ("0x0", 0),
    ("0o17", 15),
    ("a", 7),
    (" \t a \r\n ", 7),
    ("a\n+\nb", 9),
    ("a+b*3", 13),
    ("(a+b)*3", 27),
    ("a-b-1", 4),
    ("a-(b-1)", 6),
    ("100//7//2", 7),
    ("100//(7//2)", 33),
    ("17%10%4", 3),
    ("2*7//3*4", 16),
    ("7//2*2", 6),
    ("7*2//4%2", 1),
    ("2**3**2", 512),
    ("(2**3)**2", 64),
    ("-2**2", -4),
    ("(-2)**2", 4),
    ("2*-3", -6),
    ("2--3", 5),
    ("2+-+-3", 5),
    ("- - 3", 3),
    ("-a%4", 1),
    ("-(a%4)", -3),
    ("2**-0", 1),
    ("n//2", -4),
    ("a//-2", -4),
    ("n//-2", 3),
    ("n%2", 1),
    ("a%-2", -1),
    ("n%-2", -1),
    ("0**0", 1),
    ("0**5", 0),
    ("1**1000000000", 1),
    ("(-1)**1000000007", -1),
    ("(-1)**1000000008", 1),
    ("2**62", 2**62),
    ("-2**62-(2**62-1)", -(2**63) + 1),
    ("3037000499**2", 9223372030926249001),
    ("flag+flag", 2),
    ("-flag", -1),
    ("+flag", 1),
    ("(a>b)*10+(a<b)", 10),
    ("true*3", 3),
    ("min(a)", 7),
    ("min(a,b,n)", -7),
    ("max(a, b, n)", 7),
    ("max(flag, off)", 1),
    ("ceildiv(7,2)", 4),
    ("ceildiv(8,2)", 4),
    ("ceildiv(-7,2)", -3),
    ("ceildiv(0,5)", 0),
    ("align_up(13,8)", 16),
    ("align_up(16,8)", 16),
    ("align_up(0,8)", 0),
    ("align_up(-13,8)", -8),
    ("align_up(10,6)", 12),
    ("next_pow2(1)", 1),
    ("next_pow2(2)", 2),
    ("next_pow2(65)", 128),
    ("next_pow2(2**62)", 2**62),
    ("min(max(a,b),3)+1", 4),
    ("sizeof(float16)", 2),
    ("sizeof(dt)", 2),
    ("sizeof(torch.float32)", 4),
    ("sizeof(tfloat32)", 4),
    ("sizeof(bool)", 1),
    ("sizeof(complex128)", 16),
    ("sizeof(float64 if flag else float16)", 8),
    ("1 if flag else 2", 1),
    ("1 if off else 2", 2),
    ("1 if off else 2 if off else 3", 3),
    ("1+1 if flag else 5+5", 2),
    ("(1 if flag else 2)+10", 11),
    ("1 if off else zero//1", 0),
    ("1 if flag else 1//zero", 1),
    ("8 if dt == fp16 else 4", 8),
]

CONDITIONS = [
    ("true", True),
    ("True", True),
    ("false", False),
    ("False", False),
    ("flag", True),
    ("a == 7", True),
    ("a != 7", False),
    ("b < a <= 7", True),
    ("b < a < 7", False),
    ("a > b > n", True),
    ("1 < 3 > 2", True),
    ("1 < 2 == true", False),  # 1 < 2 and 2 == true
    ("(1 < 2) == true", True),
    ("flag == 1", True),
    ("not off", True),
    ("not a == 7", False),
    ("not not flag", True),
    ("not flag or flag", True),
    ("not (flag or flag)", False),
    ("flag or off and off", True),
    ("(flag or off) and off", False),
    ("flag and off or flag", True),
    ("flag and not off", True),
    ("off and 1//zero == 1", False),
    ("flag or 1//zero == 1", True),
    ("1 > 2 > 1//zero", False),
    ("a % 16 == 0 or a == 7", True),
    ("flag if a > 0 else off", True),
    ("dt == float16", True),
    ("dt == half", True),
    ("float16 == dt", True),
    ("dt != float16", False),
    ("dt == bfloat16", False),
    ("dt == float16 != float32", True),
    ("int1 == bool", False),
]


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_numbers(text: str, value: int) -> None:
    """An expression of numbers has the value that Python's rules give it, as a plain integer."""
    result = evaluate_number(parse(text), ENV)
    assert (result, type(result)) == (value, int)
    assert evaluate(parse(text), ENV) == value


@pytest.mark.parametrize(("text", "value"), CONDITIONS)
def test_conditions(text: str, value: bool) -> None:
    """Comparisons and logic give truth values, and what does not matter is not evaluated."""
    assert evaluate_condition(parse(text), ENV) is value
    assert evaluate(parse(text), ENV) is value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("float16", "float16"),
        ("half", "float16"),
        ("torch.half", "float16"),
        ("dt", "float16"),
        ("dt if off else int4", "int4"),
        ("( tl.float8e4nv )", "float8_e4m3fn"),
    ],
)
def test_dtypes_are_values(text: str, name: str) -> None:
    """A dtype's name, or a parameter that holds one, has the dtype as its value."""
    assert evaluate(parse(text), ENV) == find(name)


def test_long_sums_are_wide_not_deep() -> None:
    """A row of a thousand operators of one level is no nesting."""
    assert evaluate(parse("1" + "+1" * 999), {}) == 1000
    assert evaluate(parse("-".join("9" * 1000)), {}) == 9 - 9 * 999
    assert evaluate(parse(" or ".join(["f"] * 400)), {"f": False}) is False
    assert evaluate(parse("<".join(map(str, range(400)))), {}) is True


def test_parse_gives_the_same_tree_for_the_same_text() -> None:
    """A tree is made once for a text."""
    assert parse("a + b * 2") is parse("a + b * 2")


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("128", []),
        ("a", [("a", 0)]),
        ("sizeof(dt) * a", [("dt", 7), ("a", 13)]),
        ("x if y < z else -w", [("x", 0), ("y", 5), ("z", 9), ("w", 17)]),
        ("a and not b or a", [("a", 0), ("b", 10), ("a", 15)]),
        ("float16 == true", []),
        ("max(a, a ** b)", [("a", 4), ("a", 7), ("b", 12)]),
    ],
)
def test_names_are_found_with_their_offsets(text: str, used: list[tuple[str, int]]) -> None:
    """Every use of a parameter is listed in order; dtypes, constants and functions are none."""
    assert [tuple(name) for name in names(parse(text))] == used


def test_check_names_accepts_what_is_known() -> None:
    """An expression whose names all stand above is fine, whatever the container they come in."""
    check_names(parse("a + b"), ["a", "b"])
    check_names(parse("a + b"), dict.fromkeys("ba"), {"a", "b", "c"})
    check_names(parse("128 * sizeof(float16)"), ())


def test_values_for_their_places() -> None:
    """A number is taken as a number and a truth value as a condition, unchanged."""
    assert as_number(7) == 7
    assert as_condition(False) is False
    assert evaluate_number(Constant(5), {}) == 5
    assert evaluate_condition(Name("flag"), ENV) is True


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("and", "a keyword"),
        ("else", "a keyword"),
        ("true", "a constant"),
        ("False", "a constant"),
        ("min", "a function"),
        ("sizeof", "a function"),
        ("float16", "a dtype"),
        ("fp8e4nv", "a dtype"),
        ("int", "a dtype"),
        *((name, "") for name in ("block_M", "threads", "Min", "TRUE", "x", "")),
    ],
)
def test_reserved_names(text: str, what: str) -> None:
    """Keywords, constants, functions and dtypes may not name a parameter; everything else may."""
    assert reserved_as(text) == what
    assert is_reserved(text) is bool(what)


@pytest.mark.parametrize("text", ["a", "_", "A1", "block_M", "__x__", "and", "x" * 500])
def test_is_a_name(text: str) -> None:
    """Letters, digits and `_`, not beginning with a digit."""
    assert is_name(text)


@pytest.mark.parametrize(
    "text", ["", "1a", "a b", "a.b", "a-b", "a\n", " a", "\u00e9", "a\u0661", "\uff41", "a\0"]
)
def test_is_no_name(text: str) -> None:
    """Anything else, also letters and digits beyond ASCII."""
    assert not is_name(text)
