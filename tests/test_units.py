"""Sizes: read strictly, written so that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.errors import ExpressionError
from smemdsl.core.units import LIMIT, counted, format_size, kib, parse_size, percent

SIZES = st.integers(0, LIMIT - 1)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("65536", 65536),
        ("65536 B", 65536),
        ("64KiB", 65536),
        ("100 KiB", 102400),
        ("  2\tMiB ", 2097152),
        ("1 GiB", 1073741824),
        ("0 KiB", 0),
        ("9223372036854775807", LIMIT - 1),
        ("8589934591 GiB", LIMIT - (1 << 30)),
    ],
)
def test_sizes(text: str, size: int) -> None:
    """Whole numbers, alone or of B, KiB, MiB, GiB, with or without a space."""
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "KiB",
        "tile",
        "2 * tile",
        "64 KiB + 1",
        "(64)",
        "0x10",
        "sm_90",
        "64 KiB 2",
        "1,000",
        "٦٤",
        "64\u00a0KiB",
    ],
)
def test_not_sizes(text: str) -> None:
    """What does not look like a number with a unit may be an expression."""
    assert parse_size(text) is None


@pytest.mark.parametrize(
    ("text", "offset", "message", "hint"),
    [
        (
            "100 KB",
            4,
            "'KB' means 1000 to some and 1024 to others",
            "write 100 KiB for 102400 B, or 100000 B",
        ),
        ("100kB", 3, "'kB' means", "write 100 KiB for 102400 B, or 100000 B"),
        ("64k", 2, "'k' means", "write 64 KiB for 65536 B, or 64000 B"),
        ("2 MB", 2, "'MB' means", "write 2 MiB for 2097152 B, or 2000000 B"),
        ("1G", 1, "'G' means", "write 1 GiB for 1073741824 B, or 1000000000 B"),
        ("1.5 MB", 4, "'MB' means", "write 1.5 MiB"),
        ("64 kib", 3, "'kib' is not a unit", "write 64 KiB"),
        ("64 KIB", 3, "'KIB' is not a unit", "write 64 KiB"),
        ("8 b", 2, "'b' is not a unit", "write 8 B"),
        ("8 bytes", 2, "'bytes' is not a unit", "units are B, KiB, MiB and GiB"),
        ("1 TiB", 2, "'TiB' is not a unit", "units are B, KiB, MiB and GiB"),
        ("1.5 KiB", 0, "1.5 is not a whole number", "write 1536 B"),
        (" 99.5KiB", 1, "99.5 is not a whole number", "write 101888 B"),
        ("1.3 KiB", 0, "1.3 is not a whole number", ""),
        ("128.0", 0, "128.0 is not a whole number", "write 128 B"),
        ("128.", 0, "128. is not a whole number", "write 128 B"),
        ("1e3", 0, "1e3 is not a whole number", ""),
        ("1_000", 0, "1_000 is not a whole number", "write 1000"),
        ("0128 KiB", 0, "0128 is not a whole number", "write 128 KiB"),
        ("00", 0, "00 is not a whole number", "write 0"),
        ("-5", 0, "a size is written without '-'", ""),
        (" - 5 KiB", 1, "a size is written without '-'", ""),
        ("+5 KiB", 0, "a size is written without '+'", ""),
        ("9223372036854775808", 0, "below 2^63", ""),
        ("8589934592 GiB", 0, "below 2^63", ""),
        ("9" * 10_000, 0, "below 2^63", ""),
    ],
)
def test_wrong_sizes(text: str, offset: int, message: str, hint: str) -> None:
    """What looks like a size but is none is refused at the part at fault, with what to write instead."""
    with pytest.raises(ExpressionError) as caught:
        parse_size(text)
    assert message in caught.value.message
    assert caught.value.hint == hint
    assert caught.value.offset == offset
    assert caught.value.code == "size"


@given(SIZES, st.sampled_from(["", "B", "KiB", "MiB", "GiB"]), st.sampled_from(["", " ", "  "]))
def test_size_is_number_times_unit(number: int, unit: str, space: str) -> None:
    """Number and unit multiply, and whatever reaches 2^63 is refused."""
    factor = {"": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[unit]
    text = f"{number}{space}{unit}"
    if number * factor < 2**63:
        assert parse_size(text) == number * factor
    else:
        with pytest.raises(ExpressionError, match="below 2\\^63"):
            parse_size(text)


@given(st.text(alphabet="0123456789._+-eEkKmMgGiIbB \t", max_size=12) | st.text(max_size=12))
def test_any_text_is_answered(text: str) -> None:
    """Whatever the text, the answer is a size, None or an ExpressionError within the text."""
    try:
        size = parse_size(text)
    except ExpressionError as error:
        assert 0 <= error.offset < len(text)
    else:
        assert size is None or 0 <= size < LIMIT


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0.0 KiB"),
        (1, "0.001 KiB"),
        (512, "0.5 KiB"),
        (65536, "64.0 KiB"),
        (163840, "160.0 KiB"),
        (232448, "227.0 KiB"),
        (65535, "63.999 KiB"),
        (65537, "64.001 KiB"),
        (65741, "64.2 KiB"),
        (65740, "64.199 KiB"),
        (-65537, "-64.001 KiB"),
    ],
)
def test_kib(size: int, text: str) -> None:
    """One decimal where it says all; more where one would read like another size."""
    assert kib(size) == text


@given(SIZES)
def test_kib_loses_nothing(size: int) -> None:
    """The bytes can be read back from the KiB, so two sizes that differ never read alike."""
    whole, _, rest = kib(size).removesuffix(" KiB").partition(".")
    scaled, scale = int(whole + rest), 10 ** len(rest)
    assert (2 * scaled * 1024 + scale) // (2 * scale) == size
    assert 1 <= len(rest) <= 4


def test_format_size() -> None:
    """Bytes first, since they are what is compared."""
    assert format_size(232449) == "232449 B (227.001 KiB)"


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (131072, 233472, "56 %"),
        (196608, 233472, "84 %"),
        (262144, 233472, "112 %"),
        (233472, 233472, "100 %"),
        (233471, 233472, "99 %"),
        (233473, 233472, "101 %"),
        (0, 233472, "0 %"),
        (1, 233472, "1 %"),
        (0, 0, "-"),
        (1, 0, "-"),
    ],
)
def test_percent(part: int, whole: int, text: str) -> None:
    """Rounded to the nearest, but `100 %` and `0 %` are exact."""
    assert percent(part, whole) == text


@given(SIZES, st.integers(1, LIMIT - 1))
def test_percent_agrees_with_the_comparison(part: int, whole: int) -> None:
    """Below 100 % it fits with room, at 100 % exactly, above it does not fit; never off by more than one."""
    shown = int(percent(part, whole).removesuffix(" %"))
    assert (shown < 100, shown > 100) == (part < whole, part > whole)
    assert abs(shown * whole - 100 * part) < whole


@pytest.mark.parametrize(
    ("count", "words", "text"),
    [
        (0, ("block",), "0 blocks"),
        (1, ("block",), "1 block"),
        (2, ("block",), "2 blocks"),
        (1, ("TMA copy", "TMA copies"), "1 TMA copy"),
        (0, ("TMA copy", "TMA copies"), "0 TMA copies"),
    ],
)
def test_counted(count: int, words: tuple[str, ...], text: str) -> None:
    """One is one, everything else is several."""
    assert counted(count, *words) == text
