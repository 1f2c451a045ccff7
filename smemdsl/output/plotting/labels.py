"""What is written in a rectangle, and what goes elsewhere because it has no room there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

Measure = Callable[[str, float], float]
"""Width of a text of some size, both in points."""

LEADING = 1.25
"""Height of a line, in sizes of its text."""
_PADDING = 0.5
"""Room around a text, in sizes."""
_SHRUNK = (1.0, 0.85, 0.7)
"""Sizes that are tried, as shares of the wanted one."""


class Label(NamedTuple):
    """A text in a rectangle."""

    lines: tuple[str, ...]
    size: float
    upright: bool
    """From the bottom up."""


def fitted(
    name: str, details: Sequence[str], width: float, height: float, size: float, measure: Measure
) -> Label | None:
    """The name of a rectangle of some points, with the first of some details for which there is room, too.

    In two lines, smaller, or upright before nothing at all; None where that is all there is room for.
    """
    texts = [*((name, detail) for detail in details), (name,), *_halves(name)]
    for share in _SHRUNK:
        points = size * share
        for upright in (False, True):
            across, up = (height, width) if upright else (width, height)
            room = across - 2 * _PADDING * points
            for lines in texts:
                if LEADING * points * len(lines) <= up and all(measure(t, points) <= room for t in lines):
                    return Label(lines, points, upright)
    return None


def _halves(name: str) -> Iterator[tuple[str, str]]:
    """A name of several words in two lines, as equal as can be."""
    places = [i + 1 for i, char in enumerate(name[:-1]) if char in "_. -" and i]
    if places:
        middle = min(places, key=lambda place: (abs(2 * place - len(name)), place))
        yield name[:middle], name[middle:]


def letters(number: int) -> str:
    """`a` to `z`, then `aa`, `ab` and so on, for numbers from 0."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


class Box(NamedTuple):
    """A rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float


def apart(wanted: Sequence[Sequence[Box]], taken: Iterable[Box]) -> list[Box | None]:
    """For each of several boxes the first of its places that nothing before it covers, nor what is taken.

    The places of one box are beside each other, at the same height. None where all of them are covered.
    """
    placed = list(taken)
    chosen: list[Box | None] = []
    for places in wanted:
        y, height = places[0].y, places[0].height
        near = [other for other in placed if 2 * abs(other.y - y) < other.height + height]
        free = (place for place in places if all(_distance(place, other) >= 1 for other in near))
        best = next(free, None)
        placed += [best] if best else []
        chosen.append(best)
    return chosen


def _distance(one: Box, other: Box) -> float:
    """From centre to centre; 1 and more where the boxes have no more than an edge in common."""
    across = 2 * abs(one.x - other.x) / (one.width + other.width)
    return max(across, 2 * abs(one.y - other.y) / (one.height + other.height))


def wrapped(text: str, width: float, size: float, measure: Measure) -> list[str]:
    """A text in lines of so many points; a word that is wider is broken."""
    lines: list[str] = []
    line = ""
    for word in _pieces(text.split(" "), width, size, measure):
        longer = f"{line} {word}" if line else word
        if line and measure(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def shortened(text: str, width: float, size: float, measure: Measure) -> str:
    """A text, or as much of its beginning as there is room for, with a mark."""
    if measure(text, size) <= width:
        return text
    while text and measure(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text}…"


def _pieces(words: Iterable[str], width: float, size: float, measure: Measure) -> Iterator[str]:
    for word in words:
        rest = word
        while measure(rest, size) > width and len(rest) > 1:
            count = next(n for n in range(len(rest) - 1, 0, -1) if n == 1 or measure(rest[:n], size) <= width)
            yield rest[:count]
            rest = rest[count:]
        yield rest


def thinned(widths: Sequence[float], centres: Sequence[float], gap: float) -> list[int]:
    """Which labels along an axis are shown: the first, the last, and those between that touch no other."""
    if not widths:
        return []
    last = len(widths) - 1
    shown = [0]
    for i in range(1, last):
        if _apart(widths, centres, shown[-1], i, gap) and _apart(widths, centres, i, last, gap):
            shown.append(i)
    return [*shown, last] if last and _apart(widths, centres, shown[-1], last, gap) else shown


def every(values: Sequence[str], widths: Sequence[float], step: float, gap: float) -> list[int]:
    """Which of equally distant labels are shown: every first, second, fourth, fifth, tenth..., none touching.

    They begin so that the last is shown, too, or else at multiples of a round number.
    """
    count = len(values)
    for by in _rounds():
        shown = range(0, count, by)
        if by > 1 and (count - 1) % by:
            shown = range(_multiple(values, by), count, by)
        if all((widths[i] + widths[i + by]) / 2 + gap <= by * step for i in shown[:-1]):
            return list(shown)
    raise AssertionError  # one label touches no other


def _rounds() -> Iterator[int]:
    tens = 1
    while True:
        yield from (tens, 2 * tens, 4 * tens, 5 * tens, 8 * tens)
        tens *= 10


def _multiple(values: Sequence[str], by: int) -> int:
    """The first of every `by`-th of equally distant integers that are multiples of their distance; else 0."""
    if not all(value.isascii() and value.isdigit() for value in values[: by + 1]) or len(values) <= by:
        return 0
    whole = int(values[by]) - int(values[0])
    return next((i for i in range(by) if whole and int(values[i]) % whole == 0), 0)


def _apart(widths: Sequence[float], centres: Sequence[float], one: int, other: int, gap: float) -> bool:
    return centres[other] - centres[one] >= (widths[one] + widths[other]) / 2 + gap
