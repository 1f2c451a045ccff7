"""Sizes in bytes: how they are read, and how they are written for people.

Read: whole numbers of B, KiB, MiB or GiB. KB and its like mean 1000 to some and 1024 to others: refused.

Written: a size in KiB has at least one decimal, and as many as it takes to get the same bytes back. So 65536
is `64.0 KiB`, 65537 is `64.001 KiB`, and two sizes that differ never read alike. A percentage is rounded, but
reads `100 %` only where the two sizes are equal.
"""

from __future__ import annotations

import re

from smemdsl.core.errors import ExpressionError

LIMIT = 1 << 63
"""Every size and every number of the format stays below this."""
_FACTORS = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_SIZE = re.compile(
    r"\s*(?:(?P<sign>[-+])\s*)?"
    r"(?P<number>[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)"
    r"(?:\s*(?P<unit>[A-Za-z]+))?\s*",
    re.ASCII,
)
_AMBIGUOUS = r"(?i:([kmg])b?)"


def parse_size(text: str) -> int | None:
    """The bytes that the text stands for; None where it does not look like a size, so may be an expression.

    Raises:
        ExpressionError: it looks like a size, but its unit or its number is none, it has a sign, or it is
            2^63 or more. `offset` points at the part at fault.
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    unit = match["unit"] or ""
    if unit not in _FACTORS:
        raise _unit_error(match, unit)
    digits, factor = match["number"], _FACTORS[unit]
    if match["sign"]:
        raise _error(match, "sign", f"a size is written without {match['sign']!r}")
    if not digits.isdigit() or (digits[0] == "0" and digits != "0"):
        raise _error(match, "number", f"{digits} is not a whole number", _whole_number_hint(digits, unit))
    if len(digits) > 19 or int(digits) * factor >= LIMIT:
        raise _error(match, "number", "a size stays below 2^63 bytes")
    return int(digits) * factor


def kib(size: int) -> str:
    """The size in KiB with the fewest decimals, one at least, that lose nothing: `64.0 KiB`, `64.001 KiB`."""
    sign, size = "-" if size < 0 else "", abs(size)
    decimals, scale, scaled = 0, 1, 0
    while decimals == 0 or (scaled * 1024 + scale // 2) // scale != size:  # 4 at most: 10^-4 KiB is 0.1 B
        decimals, scale = decimals + 1, scale * 10
        scaled = (size * scale + 512) // 1024
    return f"{sign}{scaled // scale}.{scaled % scale:0{decimals}d} KiB"


def format_size(size: int) -> str:
    """The size in bytes and in KiB: `65536 B (64.0 KiB)`."""
    return f"{size} B ({kib(size)})"


def percent(part: int, whole: int) -> str:
    """The part in percent of the whole, rounded: `56 %`; `100 %` only if they are equal, `0 %` only for 0.

    Nothing can be said in percent of 0: `-`.
    """
    if whole <= 0:
        return "-"
    rounded = (200 * part + whole) // (2 * whole)
    if 0 < part < whole:
        rounded = min(max(rounded, 1), 99)
    elif part > whole:
        rounded = max(rounded, 101)
    return f"{rounded} %"


def _unit_error(match: re.Match[str], unit: str) -> ExpressionError:
    number = match["number"]
    ambiguous = re.fullmatch(_AMBIGUOUS, unit)
    if not ambiguous:
        same = next((known for known in _FACTORS if known and known.lower() == unit.lower()), None)
        hint = f"write {number} {same}" if same else "units are B, KiB, MiB and GiB"
        return _error(match, "unit", f"{unit!r} is not a unit of bytes", hint)
    letter = ambiguous[1].upper()
    power = "KMG".index(letter) + 1
    hint = f"write {number} {letter}iB"
    if number.isdigit() and len(number) <= 19:
        hint += f" for {int(number) * 1024**power} B, or {int(number) * 1000**power} B"
    return _error(match, "unit", f"{unit!r} means 1000 to some and 1024 to others", hint)


def _whole_number_hint(number: str, unit: str) -> str:
    """What to write instead of `1_000`, `007`, or a fraction that is a whole number of bytes."""
    plain = number.replace("_", "")
    if plain.isdigit():
        return f"write {plain.lstrip('0') or '0'} {unit}".rstrip()
    whole, dot, fraction = plain.partition(".")
    if not dot or not (whole + fraction).isdigit() or len(plain) > 19:
        return ""
    scaled, rest = divmod(int(whole + fraction) * _FACTORS[unit], 10 ** len(fraction))
    return "" if rest else f"write {scaled} B"


def _error(match: re.Match[str], group: str, message: str, hint: str = "") -> ExpressionError:
    return ExpressionError(message, match.start(group), code="size", hint=hint)


def counted(count: int, one: str, many: str = "") -> str:
    """`1 block`, `2 blocks`; `many` where an `s` does not make it."""
    return f"{count} {one if count == 1 else many or one + 's'}"
