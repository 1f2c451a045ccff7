"""What kind of value a parameter has: a number, true or false, or a dtype.

What takes the place of a value is of its kind. Truth values count as 1 and 0 in arithmetic, so a number that
became one by mistake would go through most expressions unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from smemdsl.core.dtypes import DType
from smemdsl.core.errors import DocPath, Fault
from smemdsl.scenario.expressions.nodes import (
    Call,
    Chain,
    Compare,
    Conditional,
    Constant,
    Logic,
    Name,
    Node,
    Unary,
)
from smemdsl.scenario.spec import Axis, Expr, ScenarioSpec
from smemdsl.scenario.spec import Choice as Given

NUMBER, TRUTH, DTYPE = "a number", "true or false", "a dtype"
_HINTS = {NUMBER: "give an integer, or an expression of integers", TRUTH: "write true or false, or compare"}

Params = Sequence[tuple[str, Given]]
Kinds = Mapping[str, str | None]


def fault_of(name: str, given: Given, params: Params, where: DocPath) -> Fault | None:
    """What is wrong with a value that takes the place of a parameter's own: it is of another kind."""
    own = next((value for other, value in params if other == name), None)
    if type(given) is type(own) and not isinstance(own, Expr):
        return None
    return _fault(name, given, kinds(params), where)


def faults(spec: ScenarioSpec) -> Iterator[Fault]:
    """The same of all values that a document gives its parameters: of its axes and its configurations."""
    if not (spec.axes or spec.fill or spec.configs):
        return
    known = kinds(spec.params)
    for key, axes in (("sweep", spec.axes), ("fill", spec.fill)):
        for axis in axes:
            for given, where in _values(axis, (key, axis.name)):
                if fault := _fault(axis.name, given, known, where):
                    yield fault
    for i, config in enumerate(spec.configs):
        for name, given in config:
            if fault := _fault(name, given, known, ("configs", i, name)):
                yield fault


def kinds(params: Params) -> dict[str, str | None]:
    """The kind of each parameter; None where it may be of either."""
    found: dict[str, str | None] = {}
    for name, value in params:
        found[name] = _kind(value, found)
    return found


def _values(axis: Axis, where: DocPath) -> Iterator[tuple[Given, DocPath]]:
    """The values of an axis, of a range the first, each where it stands if that is known."""
    if isinstance(axis.values, range):
        yield axis.values[0], where
        return
    for value in axis.values:
        yield value, value.where if isinstance(value, Expr) else where


def _fault(name: str, given: Given, known: Kinds, where: DocPath) -> Fault | None:
    wanted, got = known.get(name), _kind(given, known)
    if wanted is None or got is None or got == wanted:
        return None
    message = f"{name} is {wanted} in the file, and cannot become {got}"
    return Fault(where, "expr-type", message, _HINTS.get(wanted, "name one, for instance float16"))


def _kind(value: Given, known: Kinds) -> str | None:
    return _kind_of(value.node, known) if isinstance(value, Expr) else _plain(value)


def _plain(value: int | bool | DType) -> str:
    if isinstance(value, DType):
        return DTYPE
    return TRUTH if isinstance(value, bool) else NUMBER


def _kind_of(node: Node, known: Kinds) -> str | None:
    """The kind of an expression's value; what `threads` and `registers` stand for are numbers."""
    if isinstance(node, Constant):
        return _plain(node.value)
    if isinstance(node, Name):
        return known.get(node.name, NUMBER)
    if isinstance(node, Unary):
        return TRUTH if node.op == "not" else NUMBER
    if isinstance(node, Conditional):
        chosen, otherwise = _kind_of(node.chosen, known), _kind_of(node.otherwise, known)
        return chosen if chosen == otherwise else None
    assert isinstance(node, (Chain, Compare, Logic, Call))
    return TRUTH if isinstance(node, (Compare, Logic)) else NUMBER
