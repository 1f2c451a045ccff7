"""Names that an expression uses and nothing defines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from smemdsl.core.did_you_mean import few, nearest
from smemdsl.core.dtypes import DTYPE_NAMES
from smemdsl.core.errors import ExpressionError
from smemdsl.scenario.expressions.complaints import clipped
from smemdsl.scenario.expressions.nodes import Name, Node, names
from smemdsl.scenario.expressions.words import CONSTANTS

_MOST_LISTED = 12


class Above(Collection[str]):
    """The names that stand above one of a list, without a list of their own: there may be thousands."""

    def __init__(self, places: Mapping[str, int], end: int) -> None:
        self._places, self._end = places, end

    def __contains__(self, name: object) -> bool:
        return name in self._places and self._places[str(name)] < self._end

    def __iter__(self) -> Iterator[str]:
        return islice(self._places, self._end)

    def __len__(self) -> int:
        return self._end


def check_names(
    node: Node, known: Collection[str], later: Collection[str] = (), words: Collection[str] = ()
) -> None:
    """See to it that every name of the expression is known, also where it would not be evaluated.

    `known` are the names that stand above; `later`, all others that exist (it may hold the known ones too);
    `words` may stand in place of the whole expression.

    Raises:
        ExpressionError: a name is not known (expr-name).
    """
    for name in names(node):
        if name.name not in known:
            raise unknown_name(name, known, later, words)


def unknown_name(
    name: Name, known: Collection[str], later: Collection[str] = (), words: Collection[str] = ()
) -> ExpressionError:
    """The error for a name that is not known: which names there are, or that it stands too low."""
    shown = clipped(name.name)
    if name.name in later:
        message, hint = (
            f"'{shown}' must be defined above",
            "a parameter can use only parameters defined above it",
        )
    else:
        message, hint = f"unknown name '{shown}'", _hint(name.name, tuple(known), tuple(words))
    return ExpressionError(message, name.offset, code="expr-name", hint=hint)


def _hint(word: str, known: tuple[str, ...], words: tuple[str, ...]) -> str:
    near = nearest(word, (*words, *few(known), *DTYPE_NAMES, *CONSTANTS), limit=2)
    question = f"did you mean {' or '.join(near)}? " if near else ""
    instead = f"; also `{'` or `'.join(words)}`" if words else ""
    if not known:
        return f"{question}no names are defined here{instead}"
    more = f" and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
    return f"{question}names here: {', '.join(known[:_MOST_LISTED])}{more}{instead}"
