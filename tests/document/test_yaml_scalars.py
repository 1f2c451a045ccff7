"""Scalars: YAML 1.2's core schema, stricter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.errors import ScenarioError
from smemdsl.source.document import parse, parse_scalar


def value_of(text: str) -> Any:
    """What `text` stands for as the value of a key."""
    return parse("f.yaml", f"key: {text}\n").value["key"]


def refusal(text: str) -> tuple[str, int | None]:
    """The code and the column of the only problem of `text` as the value of a key."""
    with pytest.raises(ScenarioError) as caught:
        value_of(text)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code, diagnostic.column


# YAML 1.2.2, section 10.3.2, and where smemdsl is stricter (leading zeros).
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("128", 128),
        ("+128", 128),
        ("-128", -128),
        ("0x80", 128),
        ("0xfF", 255),
        ("0o200", 128),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775807", 1 - 2**63),
        ("0x7fffffffffffffff", 2**63 - 1),
        ("true", True),
        ("True", True),
        ("TRUE", True),
        ("false", False),
        ("False", False),
        ("FALSE", False),
        ("null", None),
        ("Null", None),
        ("NULL", None),
        ("~", None),
        ("", None),
    ],
)
def test_numbers_truth_and_null(text: str, value: object) -> None:
    """Integers, truth values and null are read as YAML 1.2 reads them, with their exact type."""
    read = value_of(text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "yes",
        "on",
        "off",
        "Yes",
        "y",
        "tRUE",
        "nULL",
        "010",
        "-010",
        "00",
        "0128",
        "1_000",
        "12:30",
        "1:30:00",
        "2001-12-14",
        "2001-12-14t21:59:43.10-05:00",
        "0b101",
        "0X80",
        "0O200",
        "+0x80",
        "-0o7",
        "0x",
        "0o8",
        "1e",
        "e3",
        "1.2.3",
        ".",
        "+",
        "--1",
        "1_0.5",
        ".iNf",
        "Infinity",
        "nan",
        "=",
        "<<",
        "128 * 2",
        "block_M",
        "64 KiB",
        "١٢",
        "1\u00a0",
    ],
)
def test_everything_else_is_a_string(text: str) -> None:
    """What YAML 1.1 took for truth values, octal, sexagesimal numbers or dates is a string."""
    assert value_of(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "1.0",
        "128.0",
        "-1.5",
        "+.5",
        ".5",
        "1.",
        "1e3",
        "1E3",
        "1e+3",
        "1.5e-3",
        "01.5",
        ".inf",
        "-.inf",
        "+.INF",
        ".Inf",
        ".nan",
        ".NaN",
        ".NAN",
    ],
)
def test_floats_are_refused(text: str) -> None:
    """A float is an error where it stands, before a schema could take 128.0 for an integer."""
    assert refusal(text) == ("yaml-float", 6)


@pytest.mark.parametrize(
    "text",
    [
        "9223372036854775808",
        "-9223372036854775808",
        "0x8000000000000000",
        "0o1000000000000000000000",
        "9" * 5000,
        "0x" + "f" * 5000,
    ],
)
def test_huge_integers_are_refused(text: str) -> None:
    """An integer of 2^63 or more is an error, however many digits it has."""
    assert refusal(text) == ("yaml-integer", 6)


@pytest.mark.parametrize("text", ["no", "1.5", "12", "true", "null", "<<", "# x", "a: b"])
def test_a_quoted_scalar_is_a_string(text: str) -> None:
    """Quotes of either kind make a string of anything."""
    assert (value_of(f'"{text}"'), value_of(f"'{text}'")) == (text, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 12", "12"),
        ("!!str 1.5", "1.5"),
        ('!!int "12"', 12),
        ("!!int 0x10", 16),
        ("!!bool true", True),
        ("!!null null", None),
        ("!!map {}", {}),
        ("!!seq []", []),
        ("!<tag:yaml.org,2002:int> 5", 5),
    ],
)
def test_core_tags(text: str, value: object) -> None:
    """A tag of the core schema may be spelt out."""
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("!!int abc", "yaml-integer"),
        ("!!int 1_000", "yaml-integer"),
        ("!!int '٣'", "yaml-integer"),
        ("!!int ''", "yaml-integer"),
        ("!!bool yes", "yaml-tag"),
        ("!!null x", "yaml-tag"),
        ("!!float 1", "yaml-float"),
        ("!!binary aGk=", "yaml-tag"),
        ("!!timestamp 2001-12-14", "yaml-tag"),
        ("!!set {a}", "yaml-tag"),
        ("!!omap []", "yaml-tag"),
        ("!!python/object/apply:os.system [ls]", "yaml-tag"),
        ("!tile 5", "yaml-tag"),
        ("!!seq {a: b}", "yaml-tag"),
        ("!!map [a]", "yaml-tag"),
        ("!!str [a]", "yaml-tag"),
        ("!!int {a: b}", "yaml-tag"),
    ],
)
def test_tags_that_do_not_fit_are_refused(text: str, code: str) -> None:
    """A tag that is unknown, or whose value is none of its kind, is an error at its place."""
    assert refusal(text) == (code, 6)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("true", True),
        ("float16", "float16"),
        ("1.5", "1.5"),
        ("null", "null"),
        ("~", "~"),
        ("", ""),
        ("<<", "<<"),
        ("9" * 30, "9" * 30),
        ("010", "010"),
        ("2 * n", "2 * n"),
    ],
)
def test_a_scalar_of_the_command_line(text: str, value: object) -> None:
    """`--set` knows integers and truth values; any other text stays what it is."""
    assert parse_scalar(text) == value


@given(st.text(max_size=12))
def test_a_scalar_of_the_command_line_is_never_lost(text: str) -> None:
    """No text becomes null or raises."""
    assert isinstance(parse_scalar(text), (int, str))


@given(st.integers(1 - 2**63, 2**63 - 1))
def test_every_integer_survives(number: int) -> None:
    """Each integer below the limit is read as itself, in every base."""
    assert value_of(str(number)) == number
    assert (value_of(f"0x{abs(number):x}"), value_of(f"0o{abs(number):o}")) == (abs(number), abs(number))
