"""Values of the generated code: how each is written, and what is known of it before anything runs.

What is known is an interval, and the loop in which the value changes. The interval shows which checks can
never fail, so that they are left out; the loop, where the value is worked out: no deeper than it must be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from smemdsl.core.dtypes import DType
from smemdsl.core.errors import SmemdslError
from smemdsl.scenario.expressions import LIMIT, Value

INT, BOOL, DTYPE, OTHER = "int", "bool", "dtype", "other"
"""Kinds of values; of the last, only the code that makes one knows more."""
CONSTANT = -1
"""The loop of a value that never changes."""


class UncompilableError(Exception):
    """The scenario has something that only the plain way can deal with, an error for one."""


class UnsureError(SmemdslError):
    """A configuration may be in error: the plain way has to say."""


class Term(NamedTuple):
    """A value of the generated code."""

    source: str
    kind: str
    loop: int
    """The innermost loop, counted from 0, that it depends on; CONSTANT: none."""
    low: int = 0
    """Of a number, the least it can be; of a condition 0 or 1."""
    high: int = 1
    risky: bool = False
    """Working it out may raise."""
    rising: bool = False
    """It never falls when the innermost loop's parameter rises, all others fixed."""
    value: Value | None = None
    """Of a constant."""

    @property
    def plain(self) -> bool:
        """A name or a literal: nothing to work out."""
        return self.source.isalnum()


class CodeBuilder:
    """The code of nested loops, while it is written: statements by loop, and the names they use."""

    def __init__(self, loops: int) -> None:
        self.lines: list[list[str]] = [[] for _ in range(loops)]
        self.risky = [False] * loops
        """Whether a statement of the loop may raise."""
        self.namespace: dict[str, Any] = {"checked": checked, "at_least": at_least}
        self._pinned: dict[str, Term] = {}

    @property
    def innermost(self) -> int:
        """The deepest loop."""
        return len(self.lines) - 1

    def constant(self, value: Value) -> Term:
        """A value that is known."""
        if isinstance(value, DType):
            return Term(self.named("d", value), DTYPE, CONSTANT, value=value)
        kind = BOOL if isinstance(value, bool) else INT
        source = str(value) if value >= 0 else f"({value})"
        return Term(source, kind, CONSTANT, int(value), int(value), rising=True, value=value)

    def named(self, prefix: str, value: object) -> str:
        """A name that stands for a value in the generated code; equal values of one type share it."""
        for name, known in self.namespace.items():
            if name.startswith(prefix) and type(known) is type(value) and known == value:
                return name
        name = f"{prefix}{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def function(self, apply: Callable[..., Any]) -> str:
        """The name by which the generated code calls a function."""
        self.namespace[apply.__name__] = apply
        return apply.__name__

    def term(
        self,
        template: str,
        operands: Sequence[Term],
        kind: str = INT,
        low: int = 0,
        high: int = 1,
        *,
        risky: bool = False,
        rising: bool = False,
    ) -> Term:
        """A value made of others, which stand in the template as {0}, {1}, ...

        Operands of outer loops are worked out there.
        """
        loop = max((operand.loop for operand in operands), default=CONSTANT)
        ready = [o if o.loop == loop or o.plain else self.pin(o) for o in operands]
        source = template.format(*[operand.source for operand in ready])
        risky = risky or any(operand.risky for operand in ready)
        made = Term(source, kind, loop, low, high, risky, rising or loop < self.innermost)
        if kind == INT and low == high and not risky:
            return self.constant(low)
        return self._folded(made) if loop == CONSTANT and kind != OTHER else made

    def _folded(self, term: Term) -> Term:
        return self.constant(self.value(term))

    def value(self, term: Term) -> Any:
        """What a constant is.

        Raises:
            UncompilableError: it is an error.
        """
        try:
            return eval(term.source, self.namespace)
        except (SmemdslError, ArithmeticError) as error:
            raise UncompilableError from error

    def function_of(self, source: str, name: str) -> Any:
        """The function of that name in generated code."""
        exec(compile(source, "<sweep>", "exec"), self.namespace)
        return self.namespace[name]

    def pin(self, term: Term) -> Term:
        """The same value, worked out once in each iteration of its loop."""
        if term.plain:
            return term
        if term.source not in self._pinned:
            name = f"t{len(self._pinned)}"
            if term.loop == CONSTANT:
                self.namespace[name] = self.value(term)
            else:
                self.line(term.loop, f"{name} = {term.source}", risky=term.risky)
            self._pinned[term.source] = term._replace(source=name, risky=False)
        return self._pinned[term.source]

    def line(self, loop: int, text: str, *, risky: bool = False) -> None:
        """Add a statement to a loop."""
        self.lines[loop].append(text)
        self.risky[loop] |= risky


def checked(value: int) -> int:
    """A number that fits into 64 bits.

    Raises:
        UnsureError: it does not.
    """
    if -LIMIT < value < LIMIT:
        return value
    raise UnsureError


def at_least(least: int, value: int) -> int:
    """A number that is not below another.

    Raises:
        UnsureError: it is.
    """
    if value < least:
        raise UnsureError
    return value
