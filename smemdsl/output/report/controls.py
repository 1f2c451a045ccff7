"""What a page lets its reader set: the axes or configurations of a scenario, cut down to a bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple

from smemdsl.api import Scenario
from smemdsl.output.report.model import Control
from smemdsl.scenario.binding import show
from smemdsl.scenario.spec import Choice, Expr

MOST = 256
"""Combinations of a scenario, where nothing else is asked for."""
MOST_OF_PAGE = 16_384
"""Combinations of a page, where nothing else is asked for."""
CONFIGURATION = "configuration"
"""What the list of a file's configurations is called."""

ControlSettings = Mapping[str, Choice]
"""Values for some of the parameters."""


class Choices(NamedTuple):
    """What a scenario can be set to: the controls, and what each of their values stands for."""

    controls: tuple[Control, ...]
    settings: tuple[tuple[ControlSettings, ...], ...]
    """By control, then value; empty where the parameter keeps what the file gives it."""
    cut: str
    """What is said where not all combinations are there."""

    @property
    def base(self) -> int:
        """Index of the combination of all initial values."""
        index = 0
        for control in self.controls:
            index = index * len(control.values) + control.initial
        return index

    def combinations(self) -> list[ControlSettings]:
        """Every combination, the last control fastest."""
        return [
            {name: value for part in parts for name, value in part.items()}
            for parts in product(*self.settings)
        ]


class _Own(NamedTuple):
    """What the base row has."""

    place: int | None
    """Its index among the options; None where it is none of them."""
    label: str
    settings: ControlSettings
    number: int | None
    """Its place among integers."""


class _Options(NamedTuple):
    """All that a control could offer; a range may have millions, so that nothing is made of them yet."""

    name: str
    items: Sequence[Any]
    label: Callable[[Any], str]
    settings: Callable[[Any], ControlSettings]
    own: _Own

    @property
    def size(self) -> int:
        """Options, that of the base row among them."""
        return len(self.items) + (self.own.place is None)


def fair_share(scenarios: int) -> int:
    """Combinations that each of so many scenarios gets, where nothing else is asked for."""
    return max(1, min(MOST, MOST_OF_PAGE // max(1, scenarios)))


def choices_of(scenario: Scenario, given: ControlSettings, most: int) -> Choices:
    """The controls of a scenario, with `most` combinations at most.

    The axes with the fewest values are kept whole as long as the bound allows; of the others, values evenly
    spread over the axis are kept, the scenario's own among them.

    Args:
        scenario: Its axes, or its configurations.
        given: Values that stand in for the file's.
        most: At least 1.
    """
    every = _every(scenario, given)
    rooms: dict[int, int] = {}
    for index in sorted(range(len(every)), key=lambda i: (every[i].size, i)):
        rooms[index] = min(every[index].size, most // prod(rooms.values()))
    found = [_thinned(options, rooms[i]) for i, options in enumerate(every)]
    controls = tuple(control for control, _ in found)
    return Choices(controls, tuple(settings for _, settings in found), _cut(every, controls))


def _cut(every: Sequence[_Options], controls: Sequence[Control]) -> str:
    """What is said of combinations that are left out."""
    here, whole = prod(len(control.values) for control in controls), prod(options.size for options in every)
    if here == whole:
        return ""
    pairs = [(c, o.size) for c, o in zip(controls, every, strict=True) if len(c.values) < o.size]
    parts = ", ".join(f"{len(c.values)} of {size:,} values of {c.name}" for c, size in pairs)
    return f"{here:,} of {whole:,} combinations were worked out: {parts}. --combinations {whole} takes all."


def _every(scenario: Scenario, given: ControlSettings) -> list[_Options]:
    spec = scenario.spec
    if spec.configs:
        own = _Own(None, "as given" if given else "as the file stands", {}, None)
        return [_Options(CONFIGURATION, [dict(c) for c in spec.configs], _named, dict, own)]
    own_values = {**dict(spec.params), **given}
    filled = {axis.name for axis in spec.fill} - given.keys()
    return [
        _axis(axis.name, axis.values, own_values[axis.name], is_filled=axis.name in filled)
        for axis in spec.axes
    ]


def _named(config: ControlSettings) -> str:
    return " ".join(f"{name}={_text(value)}" for name, value in config.items())


def _axis(name: str, values: Sequence[Choice], choice: Choice, *, is_filled: bool) -> _Options:
    if not isinstance(values, range):
        values = list({_text(value): value for value in values}.values())
    if is_filled:
        own = _Own(None, "the largest that fits", {}, None)
    elif isinstance(choice, Expr):
        own = _Own(None, f"{choice.text} (the file's own)", {}, None)
    else:
        own = _Own(
            _index(values, choice),
            show(choice),
            {name: choice},
            choice if type(choice) is int else None,
        )
    return _Options(name, values, _text, lambda value: {name: value}, own)


def _index(values: Sequence[Choice], own: Choice) -> int | None:
    if isinstance(values, range):
        return values.index(own) if type(own) is int and own in values else None
    return next((i for i, value in enumerate(values) if _text(value) == _text(own)), None)


def _text(choice: Choice) -> str:
    return choice.text if isinstance(choice, Expr) else show(choice)


def _thinned(options: _Options, room: int) -> tuple[Control, tuple[ControlSettings, ...]]:
    """A control with so many of the options, one at least: that of the base row."""
    own = options.own
    kept = _spread(len(options.items), room - (own.place is None), own.place)
    items = [options.items[i] for i in kept]
    labels, settings = [options.label(item) for item in items], [options.settings(item) for item in items]
    if own.place is None:
        initial = _place(items, own.number)
        labels.insert(initial, own.label)
        settings.insert(initial, own.settings)
        items.insert(initial, own.number)
    else:
        initial = kept.index(own.place)
    is_range = all(type(item) is int for item in items) and all(a < b for a, b in pairwise(items))
    return Control(options.name, tuple(labels), initial, is_range), tuple(settings)


def _place(items: Sequence[Any], number: int | None) -> int:
    """Where the base row's value stands: in order among integers, else in front."""
    if number is None or not all(type(item) is int for item in items):
        return 0
    return next((i for i, item in enumerate(items) if item > number), len(items))


def _spread(count: int, room: int, must: int | None) -> list[int]:
    """So many indexes below `count`, evenly spread, both ends and one that must be there among them."""
    if room >= count:
        return list(range(count))
    if room < 2:
        return [must or 0] if room else []
    kept = [i * (count - 1) // (room - 1) for i in range(room)]
    if must is not None and must not in kept:
        kept[min(range(1, room - 1) or range(room), key=lambda i: abs(kept[i] - must))] = must
    return kept
