"""Which scenario of one side is which of the other."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from smemdsl.review.state import BudgetState, ScenarioState


class ScenarioPair(NamedTuple):
    """A scenario on both sides; None on the side where it is not."""

    old: ScenarioState | None
    new: ScenarioState | None


def match(
    old: Sequence[ScenarioState],
    new: Sequence[ScenarioState],
    renamed: Mapping[str, str],
    *,
    together: bool = False,
) -> list[ScenarioPair]:
    """Every scenario once, in the order of the new side, then those that are gone.

    Two are the same if their paths are (after renames that git knows), else their paths below the folder that
    was given, else their names, else their texts, each where only one of a side has it. Whatever else two
    sides have is another scenario; but `together` says that somebody holds the one of one side against the
    one of the other, whatever they are called.
    """
    olds, news = dict(enumerate(old)), dict(enumerate(new))
    partner: dict[int, ScenarioState] = {}
    passes: tuple[tuple[_Key, _Key], ...] = (
        (lambda state: renamed.get(_path(state), _path(state)), _path),
        (lambda state: state.key, lambda state: state.key),
        (lambda state: state.name, lambda state: state.name),
        (_text, _text),
    )
    for old_key, new_key in passes:
        by_key = _unique(olds, old_key)
        for key, index in _unique(news, new_key).items():
            if key is not None and key in by_key:
                partner[index] = olds.pop(by_key[key])
                del news[index]
    if together and len(old) == len(new) == len(olds) == 1:
        partner[0] = olds.pop(0)
    return [ScenarioPair(partner.get(i), state) for i, state in enumerate(new)] + [
        ScenarioPair(state, None) for state in olds.values()
    ]


_Key = Callable[[ScenarioState], Hashable]


def _path(state: ScenarioState) -> str:
    return posixpath.normpath(state.path)


def _text(state: ScenarioState) -> str | None:
    return None if state.scenario is None else state.scenario.document.text


def _unique(states: Mapping[int, ScenarioState], key: _Key) -> dict[Hashable, int]:
    """Index of each key that only one of the states has."""
    found: dict[Hashable, list[int]] = {}
    for index, state in states.items():
        found.setdefault(key(state), []).append(index)
    return {value: indexes[0] for value, indexes in found.items() if len(indexes) == 1}


class BudgetPair(NamedTuple):
    """A budget of a scenario on both sides; None on the side where it is not."""

    old: BudgetState | None
    new: BudgetState | None

    @property
    def name(self) -> str:
        """The budget, or what it was and is."""
        return " -> ".join(dict.fromkeys(budget.name for budget in self if budget is not None))


def match_budgets(old: Sequence[BudgetState], new: Sequence[BudgetState]) -> list[BudgetPair]:
    """Every budget once; two are the same if their names are, or if each is the only one of its side left."""
    by_name = {budget.name: budget for budget in old}
    pairs = [BudgetPair(by_name.pop(budget.name, None), budget) for budget in new]
    lonely = [i for i, pair in enumerate(pairs) if pair.old is None]
    if len(lonely) == len(by_name) == 1:
        pairs[lonely[0]] = BudgetPair(by_name.popitem()[1], pairs[lonely[0]].new)
    return pairs + [BudgetPair(budget, None) for budget in by_name.values()]
