"""What a lint looks at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdsl.api import Scenario
from smemdsl.core.errors import DocPath, ExpressionError, Fault
from smemdsl.devices import Device
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.verdict import Verdict
from smemdsl.scenario import expressions
from smemdsl.scenario.spec import Expr


class LintSubject(NamedTuple):
    """A scenario as it stands, with its verdicts."""

    scenario: Scenario
    verdicts: Sequence[Verdict]

    @property
    def plan(self) -> ArenaPlan:
        """The arena of the first verdict: only with `fill` has each budget its own."""
        return self.verdicts[0].plan

    @property
    def document(self) -> Mapping[str, Any]:
        """The scenario as plain values."""
        value: Mapping[str, Any] = self.scenario.document.value
        return value

    @property
    def devices(self) -> Iterator[Device]:
        """The devices that it is judged against."""
        return (verdict.budget.preset.device for verdict in self.verdicts if verdict.budget.preset)


def warning(where: DocPath, code: str, message: str, hint: str = "", *, on_key: bool = False) -> Fault:
    """A finding of a lint."""
    return Fault(where, code, message, hint, on_key, severity="warning")


def used_names(value: Any) -> Iterator[str]:
    """Every name that the expressions in a part of a scenario use."""
    if isinstance(value, Expr):
        yield from (name.name for name in expressions.names(value.node))
    elif isinstance(value, tuple):
        for item in value:
            if type(item) is not str and item is not None:
                yield from used_names(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from used_names(item)


def names_in_text(text: str | int) -> Iterator[str]:
    """The names that a budget uses, if it is an expression."""
    if isinstance(text, int):
        return
    try:
        yield from (name.name for name in expressions.names(expressions.parse(text)))
    except ExpressionError:
        return
