"""Expected numbers brought up to date in the text of a scenario, everything else byte for byte as it was."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from smemdsl.core.errors import DocPath
from smemdsl.judging.unmet_expectations import UnmetExpectation
from smemdsl.source.document import scalar_span

_NUMBER = re.compile(
    r"""(?P<before>(?:[&!]\S*\s+)*["']?\s*(?:==|!=|<=|>=|<|>)?\s*)
        (?P<number>0x[0-9a-fA-F]+|0o[0-7]+|0|[1-9][0-9]*)
        (?P<unit>(?P<space>\s*)(?P<name>B|KiB|MiB|GiB))?
        (?P<after>\s*["']?)\Z""",
    re.VERBOSE | re.ASCII,
)
_FACTORS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_OFFSETS = {"==": 0, "<=": 0, ">=": 0, "<": 1, ">": -1}
"""What has to be added to the number that came out; `!=` names no number that would hold."""


class Update(NamedTuple):
    """A number that was rewritten: its characters in the old text, its way, and how it was and is written."""

    span: tuple[int, int]
    where: DocPath
    before: str
    after: str


class Updated(NamedTuple):
    """A text with its numbers up to date."""

    text: str
    updates: tuple[Update, ...]


def update(text: str, find_misses: Callable[[str], Iterable[UnmetExpectation]]) -> Updated:
    """The text with every expected number that does not hold replaced by the one that does.

    What is not a number is left: `fits`, `share`, expressions; so is a number for which no other would hold,
    for instance one that is expected of two devices which differ. `find_misses` gives the misses of a text.
    """
    wanted = _wanted(find_misses(text))
    while wanted:
        updates = _updates(text, wanted)
        new = _replaced(text, updates)
        still = {miss.comparison.where for miss in find_misses(new) if miss.comparison is not None}
        if not still & {item.where for item in updates}:
            return Updated(new, updates)
        wanted = {where: value for where, value in wanted.items() if where not in still}
    return Updated(text, ())


def _wanted(misses: Iterable[UnmetExpectation]) -> dict[DocPath, int]:
    """The number that each missed comparison would have to name: of several, the one that all meet."""
    wanted: dict[DocPath, int] = {}
    for miss in misses:
        if miss.comparison is None or miss.got is None or miss.comparison.relation not in _OFFSETS:
            continue
        relation, where = miss.comparison.relation, miss.comparison.where
        value = miss.got + _OFFSETS[relation]
        choose = min if relation in (">", ">=") else max
        wanted[where] = choose(value, wanted.get(where, value))
    return wanted


def _updates(text: str, wanted: Mapping[DocPath, int]) -> tuple[Update, ...]:
    """What can be rewritten of it, in the order of the text; no alias that stands for two that differ."""
    found: dict[tuple[int, int], set[Update]] = {}
    for where, value in wanted.items():
        span = scalar_span(text, where)
        if span is not None:
            before = text[span[0] : span[1]]
            after = _rewritten(before, value)
            if after is not None:
                found.setdefault(span, set()).add(Update(span, where, before, after))
    same = (items for items in found.values() if len({item.after for item in items}) == 1)
    return tuple(sorted(item for items in same for item in items))


def _rewritten(raw: str, value: int) -> str | None:
    """A number with quotes, relation, base and unit of the old one; None where that is an expression."""
    match = _NUMBER.match(raw)
    if match is None or value < 0:
        return None
    unit = match["unit"] or ""
    factor = _FACTORS[match["name"]] if unit else 1
    if value % factor:
        factor, unit = 1, f"{match['space']}B"
    base = match["number"][:2]
    number = f"{value // factor:#x}" if base == "0x" else f"{value // factor:#o}" if base == "0o" else None
    return f"{match['before']}{number or value // factor}{unit}{match['after']}"


def _replaced(text: str, updates: Sequence[Update]) -> str:
    """The text with the numbers replaced, the last first; one that an alias leads to twice counts once."""
    for (start, end), after in sorted({item.span: item.after for item in updates}.items(), reverse=True):
        text = text[:start] + after + text[end:]
    return text
