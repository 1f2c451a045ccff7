from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.dtypes import find
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    Above,
    as_condition,
    as_number,
    check_names,
    evaluate,
    evaluate_condition,
    evaluate_number,
    parse,
)

ENV: dict[str, Any] = {"a": 7, "b": 2, "zero": 0, "flag": True, "dt": find("float16"), "big": 2**62}

# (text, offset, part of the message, part of the hint)
SYNTAX = [
    ("", 0, "expected an expression", ""),
    (" \n ", 0, "expected an expression", ""),
    ("a +", 3, "unexpected end of expression", ""),
    ("a + ", 3, "unexpected end of expression", ""),
    ("* a", 0, "missing operand before '*'", ""),
    ("a * * b", 4, "missing operand before '*'", ""),
    ("a ** ** b", 5, "missing operand before '**'", ""),
    ("a + )", 4, "missing operand before ')'", ""),
    ("()", 1, "missing operand before ')'", ""),
    ("min(1,)", 6, "missing operand before ')'", ""),
    ("min(,1)", 4, "missing operand before ','", ""),
    ("a b", 2, "missing operator before 'b'", ""),
    ("a 1", 2, "missing operator before '1'", ""),
    ("(a) (b)", 4, "missing operator before '('", ""),
    ("2 (b)", 2, "missing operator before '('", ""),
    ("a in b", 2, "missing operator before 'in'", ""),
    ("a not b", 2, "missing operator before 'not'", ""),
    ("a\nb", 2, "missing operator before 'b'", ""),
    ("100 KiB", 4, "missing operator before 'KiB'", "100 * 1024"),
    ("100KiB", 0, "is not a number", "100 * 1024"),
    ("ceildiv(a", 7, "unclosed '('", "quote the expression"),
    ("min(a, (b", 7, "unclosed '('", "quote the expression"),
    ("(a + b", 0, "unclosed '('", "quote the expression"),
    ("2)", 1, "unmatched ')'", "quote the expression"),
    ("a, b", 1, "a comma", ""),
    ("(a, b)", 2, "a comma", ""),
    ("(a b)", 3, "missing operator before 'b'", ""),
    ("1 if flag", 2, "'if' without 'else'", "a if condition else b"),
    ("(1 if flag)", 3, "'if' without 'else'", "a if condition else b"),
    ("1 if flag else", 14, "unexpected end of expression", ""),
    ("1 if flag b", 10, "missing operator before 'b'", ""),
    ("1 if 1 if flag else 2 else 3", 7, "needs parentheses", ""),
    ("a else b", 2, "'else' without 'if'", ""),
    ("if", 0, "missing operand before 'if'", ""),
    ("a == not flag", 5, "'not' needs parentheses", "(not x)"),
    ("- not flag", 2, "'not' needs parentheses", "(not x)"),
    ("0128", 0, "'0128' is not a number", "write 128"),
    ("00", 0, "'00' is not a number", "write 0"),
    ("a + 1_000", 4, "'1_000' is not a number", "write 1000"),
    ("0b11", 0, "'0b11' is not a number", "0x1f"),
    ("0X1F", 0, "'0X1F' is not a number", "0x1f"),
    ("0o8", 0, "'0o8' is not a number", ""),
    ("0x", 0, "'0x' is not a number", ""),
    ("12abc", 0, "'12abc' is not a number", ""),
    ("a * 1.5", 4, "is not a whole number", "floats are not supported"),
    ("1.", 0, "is not a whole number", "floats are not supported"),
    ("1e3", 0, "is not a whole number", "floats are not supported"),
    (".5", 0, "'.'", "floats"),
    ("1..6", 0, "'1..6' is not a number", "range"),
    ("a.b", 1, "'.'", "attributes are not supported"),
    ("torch.flaot16", 5, "'.'", "attributes are not supported"),
    ("a / b", 2, "'/'", "//"),
    ("a = b", 2, "'='", "=="),
    ("a === b", 4, "'='", "=="),
    ("!a", 0, "'!'", "`not`"),
    ("a && b", 2, "'&&'", "`and`"),
    ("a || b", 2, "'||'", "`or`"),
    ("a <> b", 2, "'<>'", "!="),
    ("a & b", 2, "'&'", "bit operations"),
    ("a | b", 2, "'|'", "bit operations"),
    ("a ^ b", 2, "'^'", "**"),
    ("~a", 0, "'~'", "bit operations"),
    ("1 << a", 2, "'<<'", "2**n"),
    ("a >> 1", 2, "'>>'", "2**n"),
    ("dt == 'float16'", 6, "quotes", "without quotes"),
    ('"a"', 0, "quotes", "without quotes"),
    ("a[0]", 1, "'['", "use parentheses"),
    ("{a}", 0, "'{'", "use parentheses"),
    ("a ? 1 : 2", 2, "'?'", "a if condition else b"),
    ("$a", 0, "'$'", "without $ or braces"),
    ("a # c", 2, "'#'", "comments are not supported"),
    ("a; b", 1, "';'", "one expression"),
    ("a @ b", 2, "'@'", "*"),
    ("a \\ b", 2, "'\\'", ""),
    ("a \u00d7 b", 2, "U+00D7", "*"),
    ("a \u2212 b", 2, "U+2212", "ASCII minus"),
    ("a \u2264 b", 2, "U+2264", "<="),
    ("a\u00a0+ b", 1, "U+00A0", "ordinary space"),
    ("\uff41", 0, "U+FF41", "write a (the ASCII"),
    ("gr\u00f6\u00dfe", 2, "U+00F6", "ASCII letters"),
    ("1\u0663", 1, "U+0663", ""),
    ("a\x00", 1, "U+0000", ""),
    ("a\x0c+ b", 1, "U+000C", ""),
    ("\ufeffa", 0, "U+FEFF", ""),
    ("a\ud800", 1, "U+D800", ""),
    ("a + \U0001f600", 4, "U+1F600", ""),
]

CALL = [
    ("1 + foo(1)", 4, "'foo' is not a function", "ceildiv"),
    ("a (b)", 0, "'a' is not a function", "ceildiv"),
    ("float16(1)", 0, "'float16' is not a function", "ceildiv"),
    ("min + 1", 0, "'min' is not called", "min(a, b, ...)"),
    ("2 * sizeof", 4, "'sizeof' is not called", "sizeof(dtype)"),
    ("(min)(1)", 1, "'min' is not called", ""),
    ("min()", 0, "0 values", "min(a, b, ...)"),
    ("1 + ceildiv(a)", 4, "1 values", "ceildiv(a, b)"),
    ("ceildiv(1, 2, 3)", 0, "3 values", "ceildiv(a, b)"),
    ("align_up(1)", 0, "1 values", "align_up(size, alignment)"),
    ("next_pow2(1, 2)", 0, "2 values", "next_pow2(n)"),
    ("sizeof()", 0, "0 values", "sizeof(dtype)"),
]

NAME = [
    ("1 + blockM", 4, "unknown name 'blockM'", "names here: a, b, zero"),
    ("sizeof(flaot16)", 7, "unknown name 'flaot16'", "did you mean float16"),
    ("TRUE", 0, "unknown name 'TRUE'", "did you mean true"),
    ("None", 0, "unknown name 'None'", "names here"),
]

TYPE = [
    ("a and flag", 0, "number used as a condition", "write `a != 0`"),
    ("flag and a", 9, "number used as a condition", "write `a != 0`"),
    ("flag and a + 1", 9, "number used as a condition", "!= 0"),
    ("not a", 4, "number used as a condition", "write `a != 0`"),
    ("not 0", 4, "number used as a condition", "!= 0"),
    ("1 if a else 2", 5, "number used as a condition", "write `a != 0`"),
    ("1 if dt else 2", 5, "dtype used as a condition", "dt == float16"),
    ("dt + 1", 0, "dtype used as a number", "sizeof(dt)"),
    ("1 + float32", 4, "dtype used as a number", "sizeof(float32)"),
    ("-dt", 1, "dtype used as a number", "sizeof(dt)"),
    ("max(1, dt)", 7, "dtype used as a number", "sizeof(dt)"),
    ("dt == 2", 3, "cannot compare", "sizeof"),
    ("1 < dt", 2, "cannot compare", "sizeof"),
    ("dt < float32", 3, "unordered: cannot apply '<'", "=="),
    ("float16 == dt >= dt", 14, "unordered: cannot apply '>='", "=="),
    ("sizeof(a)", 7, "sizeof takes a dtype", "sizeof(float16)"),
    ("1 + sizeof(int4)", 4, "smaller than a byte", "ceildiv(n * 4, 8)"),
    ("sizeof(float6_e2m3fn)", 0, "smaller than a byte", "ceildiv(n * 6, 8)"),
    ("2 ** -1", 2, "negative exponent -1", "//"),
    ("1 ** -1", 2, "negative exponent -1", "//"),
    ("1 + ceildiv(a, -2)", 4, "ceildiv must be positive, and is -2", ""),
    ("align_up(a, -8)", 0, "align_up must be positive, and is -8", ""),
    ("next_pow2(0)", 0, "at least 1, and got 0", ""),
]

OVERFLOW = [
    ("9223372036854775808", 0, "64 bits", "2**63"),
    ("a + 0x8000000000000000", 4, "64 bits", "2**63"),
    ("9" * 1999, 0, "64 bits", "2**63"),
    ("9223372036854775807 + 1", 20, "64 bits", "2**63"),
    ("-9223372036854775807 - 1", 21, "64 bits", "2**63"),
    ("1 + big * 2 // 4", 8, "64 bits", "2**63"),
    ("big + big - big", 4, "64 bits", "2**63"),
    ("2 ** 63", 2, "64 bits", "2**63"),
    ("(-2) ** 63", 5, "64 bits", "2**63"),
    ("3037000500 ** 2", 11, "64 bits", "2**63"),
    ("9**9**9", 1, "64 bits", "2**63"),
    ("9**9**9**9**9", 7, "64 bits", "2**63"),
    ("2 ** big", 2, "64 bits", "2**63"),
    ("1 + next_pow2(big + 1)", 4, "64 bits", "2**63"),
    ("align_up(big + 1, big)", 0, "64 bits", "2**63"),
]

ZERO = [
    ("a // zero", 2, "'//' by zero", ""),
    ("a % (b - 2)", 2, "'%' by zero", ""),
    ("1 + a // b % 0", 11, "'%' by zero", ""),
    ("1 + ceildiv(a, 0)", 4, "ceildiv must be positive, and is 0", ""),
    ("align_up(a, zero)", 0, "align_up must be positive, and is 0", ""),
]

TOO_BIG = [
    ("x" * (MAX_LENGTH + 1), MAX_LENGTH, f"{MAX_LENGTH} characters", ""),
    (" " * 100_000, MAX_LENGTH, f"{MAX_LENGTH} characters", ""),
    ("(" * 2000, MAX_DEPTH, "nested deeper", ""),
    ("-" * 1999 + "1", MAX_DEPTH, "nested deeper", ""),
    ("not " * 499 + "true", 4 * MAX_DEPTH, "nested deeper", ""),
    ("min(" * 400, 4 * MAX_DEPTH, "nested deeper", ""),
    ("2**" * 600 + "1", 3 * MAX_DEPTH, "nested deeper", ""),
    ("1 if true else " * 130 + "1", 15 * (MAX_DEPTH - 1) + 5, "nested deeper", ""),
    ("1+(" * 600, 3 * MAX_DEPTH // 2, "nested deeper", ""),
]

CASES = [
    (code, *case)
    for code, cases in {
        "expr-syntax": SYNTAX,
        "expr-call": CALL,
        "expr-name": NAME,
        "expr-type": TYPE,
        "expr-overflow": OVERFLOW,
        "expr-zero-division": ZERO,
        "expr-too-big": TOO_BIG,
    }.items()
    for case in cases
]


@pytest.mark.parametrize(
    ("code", "text", "offset", "message", "hint"), CASES, ids=[ascii(case[1][:24]) for case in CASES]
)
def test_errors(code: str, text: str, offset: int, message: str, hint: str) -> None:
    """Every error has its code, stands at the part at fault, and says what is wrong and what to write."""
    with pytest.raises(ExpressionError) as caught:
        evaluate(parse(text), ENV)
    error = caught.value
    assert (error.code, error.offset) == (code, offset)
    assert message in error.message
    assert hint in error.hint
    assert error.message.isprintable()
    assert len(error.message) < 200


@pytest.mark.parametrize(
    ("text", "offset", "hint"),
    [
        ("a < b", 0, "1 if ... else 0"),
        ("flag", 0, "1 if flag else 0"),
        ("  true", 2, "1 if ... else 0"),
        ("not flag", 0, "1 if ... else 0"),
        ("dt", 0, "sizeof(dt)"),
        ("float16", 0, "sizeof(float16)"),
    ],
)
def test_a_size_is_no_condition(text: str, offset: int, hint: str) -> None:
    """A truth value or a dtype is refused where a size or a count is wanted."""
    with pytest.raises(ExpressionError) as caught:
        evaluate_number(parse(text), ENV)
    assert (caught.value.code, caught.value.offset) == ("expr-type", offset)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "offset", "hint"),
    [("a", 0, "write `a != 0`"), (" a % 16", 1, "!= 0"), ("1", 0, "!= 0"), ("dt", 0, "dt == float16")],
)
def test_a_condition_is_no_number(text: str, offset: int, hint: str) -> None:
    """A number or a dtype is refused where a condition is wanted."""
    with pytest.raises(ExpressionError) as caught:
        evaluate_condition(parse(text), ENV)
    assert (caught.value.code, caught.value.offset) == ("expr-type", offset)
    assert hint in caught.value.hint


def test_values_out_of_place_are_refused() -> None:
    """`as_number` and `as_condition` refuse each other's values at the offset they are given."""
    for refuse, value in (
        (as_number, True),
        (as_number, ENV["dt"]),
        (as_condition, 1),
        (as_condition, ENV["dt"]),
    ):
        with pytest.raises(ExpressionError) as caught:
            refuse(value, 5)
        assert (caught.value.code, caught.value.offset) == ("expr-type", 5)


@pytest.mark.parametrize("text", ["1 if true else low", "true or low == 1", "low + missing"])
def test_names_are_checked_where_they_are_not_evaluated(text: str) -> None:
    """`check_names` reports the first unknown name, also in a branch that evaluation leaves out."""
    with pytest.raises(ExpressionError) as caught:
        check_names(parse(text), ["a"])
    assert (caught.value.code, caught.value.offset) == ("expr-name", text.index("low"))
    assert "unknown name 'low'" in caught.value.message
    assert caught.value.hint.endswith("names here: a")


def test_a_name_from_below_must_stand_above() -> None:
    """A name that exists but stands below is told apart from one that does not exist."""
    messages = []
    for attempt in (
        lambda: check_names(parse("a * low"), ["a"], ["a", "low"]),
        lambda: evaluate(parse("a * low"), ENV, {"low"}),
    ):
        with pytest.raises(ExpressionError) as caught:
            attempt()
        assert (caught.value.code, caught.value.offset) == ("expr-name", 4)
        messages.append(caught.value.message)
    assert messages == ["'low' must be defined above"] * 2


def test_many_names_are_not_all_listed() -> None:
    """The hint lists a dozen names and counts the rest; without names it says so."""
    with pytest.raises(ExpressionError) as caught:
        check_names(parse("other"), [f"p{i}" for i in range(40)])
    assert "p11 and 28 more" in caught.value.hint
    with pytest.raises(ExpressionError) as caught:
        check_names(parse("other"), [])
    assert "no names are defined here" in caught.value.hint


@pytest.mark.parametrize(("value", "code"), [(1.5, "expr-type"), ("7", "expr-type"), (None, "expr-type")])
def test_parameters_of_other_kinds_are_refused(value: object, code: str) -> None:
    """A parameter that holds no number, truth value or dtype is an error at its use."""
    environment: dict[str, Any] = {"x": value}
    with pytest.raises(ExpressionError) as caught:
        evaluate(parse("1 + x"), environment)
    assert (caught.value.code, caught.value.offset) == (code, 4)


@pytest.mark.parametrize("value", [2**63, -(2**63), 10**400])
def test_parameters_out_of_range_are_refused(value: int) -> None:
    """A parameter out of range is an overflow at its use, whatever is done with it."""
    with pytest.raises(ExpressionError) as caught:
        evaluate(parse("0 * x"), {"x": value})
    assert (caught.value.code, caught.value.offset) == ("expr-overflow", 4)


@pytest.mark.parametrize(
    "text",
    [
        "(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1),
        "-" * (MAX_DEPTH - 1) + "1",
        "min(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1),
        "1 if true else " * (MAX_DEPTH - 1) + "1",
    ],
)
def test_as_deep_as_allowed_is_no_error(text: str) -> None:
    """What nests up to the limit has a value."""
    assert abs(evaluate_number(parse(text), {})) == 1


def test_high_trees_are_refused_even_if_brackets_are_few() -> None:
    """A tree that many levels of operators make higher than the limit is refused by the parser."""
    text = "1"
    for _ in range(20):
        text = f"({text})**1*1+1<1 and 1==1 or 1==1"
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.code == "expr-too-big"


@given(st.lists(st.sampled_from("abcde"), unique=True), st.integers(0, 5), st.sampled_from("abcdef"))
def test_the_names_above(listed: list[str], end: int, name: str) -> None:
    """They are a part of the list, in its order, whatever asks."""
    end = min(end, len(listed))
    above = Above({one: place for place, one in enumerate(listed)}, end)
    assert (list(above), len(above)) == (listed[:end], end)
    assert (name in above) == (name in listed[:end])
