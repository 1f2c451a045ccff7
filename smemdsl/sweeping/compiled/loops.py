"""The loops of a sweep: what each runs over, and the terms of its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from smemdsl.core.dtypes import DType
from smemdsl.scenario.expressions import LIMIT
from smemdsl.scenario.spec import Axis, Choice, Expr
from smemdsl.sweeping.compiled.terms import BOOL, DTYPE, INT, CodeBuilder, Term, UncompilableError
from smemdsl.sweeping.model import Config

MOST_LOOPS = 16
"""Python nests no more than 20 blocks."""
_KINDS: dict[type, str] = {int: INT, bool: BOOL, DType: DTYPE}


class LoopCode(NamedTuple):
    """A loop of the generated code: over the values of one parameter, or over whole configurations."""

    names: tuple[str, ...]
    values: Sequence[Any]
    """Of one parameter; tuples, where there are several."""

    def column(self, index: int) -> Sequence[Choice]:
        """The values of one of the parameters."""
        return self.values if len(self.names) == 1 else [values[index] for values in self.values]


def of_axes(axes: Sequence[Axis]) -> tuple[LoopCode, ...]:
    """A loop for each axis, the first outermost."""
    return tuple(LoopCode((axis.name,), axis.values) for axis in axes)


def stretches(
    configs: Iterable[Config], fixed: Config
) -> Iterator[tuple[list[Config], tuple[LoopCode, ...]]]:
    """Configurations in a row that name the same parameters, and the loop over them.

    No loop where they name none, or give one an expression as its value.
    """

    def shape(config: Config) -> tuple[bool, tuple[str, ...]]:
        return any(isinstance(value, Expr) for value in config.values()), tuple(config)

    for (expressions, given), found in groupby(configs, shape):
        stretch = list(found)
        names = tuple(name for name in given if name not in fixed)
        values = [
            config[names[0]] if len(names) == 1 else tuple(map(config.get, names)) for config in stretch
        ]
        yield stretch, (LoopCode(names, values),) if names and not expressions else ()


def variables(build: CodeBuilder, loops: Sequence[LoopCode]) -> dict[str, Term]:
    """The term of each parameter that a loop sets.

    Raises:
        UncompilableError: the values of one are not all integers, all true or false, or all dtypes; or there
            are too many loops.
    """
    if len(loops) > MOST_LOOPS:
        raise UncompilableError
    terms = {}
    for depth, loop in enumerate(loops):
        for i, name in enumerate(loop.names):
            terms[name] = _variable(variable(depth, i), depth, loop.column(i))
    return terms


def variable(depth: int, index: int) -> str:
    """The name in the generated code of a parameter that a loop sets."""
    return f"p{depth}x{index}"


def _variable(source: str, depth: int, values: Sequence[Any]) -> Term:
    if isinstance(values, range):
        return _integers(source, depth, values[0], values[-1])
    kinds = {_KINDS.get(kind) for kind in set(map(type, values))}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        raise UncompilableError
    return _integers(source, depth, min(values), max(values)) if kind == INT else Term(source, kind, depth)


def _integers(source: str, depth: int, one: int, other: int) -> Term:
    low, high = min(one, other), max(one, other)
    if low <= -LIMIT or high >= LIMIT:
        raise UncompilableError
    return Term(source, INT, depth, low, high, rising=True)
