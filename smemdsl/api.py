"""The library: load a scenario, ask whether a configuration fits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from smemdsl.core import arguments, dtypes
from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import (
    ArgumentTypeError,
    ConstraintError,
    Diagnostic,
    ExpressionError,
    Fault,
    FaultError,
    ScenarioError,
    UnknownNameError,
)
from smemdsl.judging.expect import own_verdicts
from smemdsl.judging.fill import judge_filled
from smemdsl.judging.library_verdict import Verdict, for_library
from smemdsl.judging.plan import ArenaPlan, Options, make_plan
from smemdsl.judging.requests import budget_of, budgets_of, choosable, options_of, path_of
from smemdsl.scenario import expressions, parameter_types
from smemdsl.scenario.reading.budgets import budget_fault
from smemdsl.scenario.reading.scenario import read
from smemdsl.scenario.spec import Axis, BudgetSpec, Choice, Expr, ScenarioSpec
from smemdsl.source import discovery, document
from smemdsl.source.document import Document

T = TypeVar("T")


class Scenario:
    """A scenario, read and checked by `load` or `loads`; parameters are bound when it is asked something.

    Every method raises an ArgumentError for an argument that is not of the type it is said to be. Integers of
    other libraries, such as NumPy's, are taken for integers.
    """

    __slots__ = ("document", "spec")

    def __init__(self, document: Document, spec: ScenarioSpec) -> None:
        self.document = document
        self.spec = spec

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.spec.name

    @property
    def path(self) -> str:
        """The file that it comes from, as messages show it."""
        return self.document.path

    @property
    def params(self) -> tuple[str, ...]:
        """Names of the parameters, in file order."""
        return tuple(name for name, _ in self.spec.params)

    def plan(self, /, options: Options | None = None, **params: int | bool | str) -> ArenaPlan:
        """The arena of one configuration: whatever does not depend on a budget, so that nothing is filled.

        Raises:
            ScenarioError: a parameter is unknown, or the configuration has no meaning.
        """
        checked = options_of(options)
        return self._attempt(lambda: make_plan(self.spec, self.choices(params), checked))

    def check(
        self,
        /,
        *,
        budget: str | int | None = None,
        policy: str | None = None,
        align: int | None = None,
        **params: int | bool | str,
    ) -> Verdict:
        """The verdict of one configuration on one budget: the one given, else the file's first.

        Args:
            budget: A device preset, a size, or an expression over the parameters.
            policy: A packing policy instead of the file's.
            align: A default alignment in bytes instead of the file's.
            params: Values instead of the file's: integers, booleans, dtype names or expressions.

        Raises:
            ScenarioError: a name is unknown, or the configuration has no meaning.
        """
        chosen = self.spec.budgets[0] if budget is None else budget_of(budget)
        return self._judged([chosen], Options(policy, align), params)[0]

    def verdicts(
        self, /, budgets: Iterable[str | int] = (), options: Options | None = None, **params: int | bool | str
    ) -> list[Verdict]:
        """The verdicts on all budgets given, else on all of the file's; expectations are not looked at.

        Raises:
            ScenarioError: a name is unknown, or the configuration has no meaning.
        """
        return self.verdicts_with(params, budgets, options)

    def verdicts_with(
        self,
        params: Mapping[str, int | bool | str],
        budgets: Iterable[str | int] = (),
        options: Options | None = None,
    ) -> list[Verdict]:
        """The same, of parameters that may be called like an argument: `budgets`, `options`.

        Raises:
            ScenarioError: a name is unknown, or the configuration has no meaning.
        """
        return self._judged(budgets_of(budgets) or self.spec.budgets, options, params)

    def own_verdicts(self, options: Options | None = None) -> list[Verdict]:
        """The verdicts of the file as it stands, its expectations verified.

        Raises:
            ScenarioError: the configuration has no meaning.
        """
        checked = options_of(options)
        return self._attempt(lambda: for_library(own_verdicts(make_plan(self.spec, None, checked))))

    def fits(self, /, *, budget: str | int | None = None, **params: int | bool | str) -> bool:
        """Whether a configuration holds the constraints and fits: the budget given, else all of the file's.

        A configuration with which the file has no meaning does not fit.

        Raises:
            ScenarioError: a parameter is unknown, or the budget is not a device, a size or an expression.
        """
        choices = self.choices(params)
        budgets = self.spec.budgets
        if budget is not None:
            budgets = (budget_of(budget),)
            names = (*self.params, "threads", "registers")
            if fault := budget_fault(*budgets[0], names):
                raise ScenarioError([self.document.diagnose(fault)])
        try:
            verdicts = judge_filled(self.spec, choices, budgets)
            return all(verdict.fits and not verdict.plan.violated for verdict in verdicts)
        except FaultError:
            return False

    def with_fill(self, /, **axes: str | Sequence[int]) -> Scenario:
        """The scenario with other values for `fill` to choose from: `with_fill(num_stages="1..16")`.

        An axis that the file has keeps its place in the order; others come after it, in the order given.

        Raises:
            ScenarioError: a parameter is unknown, a text is not an axis, or a value is not an integer.
        """
        filled = {axis.name: axis for axis in self.spec.fill}
        filled |= {name: self._fill_axis(name, values) for name, values in axes.items()}
        return Scenario(self.document, self.spec._replace(fill=tuple(filled.values())))

    def choices(self, params: Mapping[str, int | bool | str]) -> dict[str, Choice]:
        """Values for parameters, read as the file would read them.

        Raises:
            ScenarioError: a parameter is unknown, or a text is not an expression.
        """
        if not isinstance(params, Mapping):
            raise ArgumentTypeError(f"params must be a mapping, not {arguments.kind(params)}")
        return {name: self.choice(name, value) for name, value in params.items()}

    def choice(self, name: str, value: Any) -> Choice:
        """The value of one parameter, read as the file would read it.

        Raises:
            ScenarioError: the parameter is unknown, or the text is not an expression.
        """
        given = self._read(name, value)
        if fault := parameter_types.fault_of(name, given, self.spec.params, ("--set", name)):
            raise self._error(fault.code, fault.message, fault.hint)
        return given

    def _read(self, name: str, value: Any) -> Choice:
        names = self._known(name)
        if isinstance(value, bool):
            return value
        if (number := arguments.as_integer(value)) is not None:
            if not -expressions.LIMIT < number < expressions.LIMIT:
                raise self._error("expr-overflow", f"{name}: the value does not fit into 64 bits")
            return number
        if not isinstance(value, str):
            hint = "an integer, true or false, the name of a dtype, or an expression"
            raise self._error("expr-type", f"{name} cannot be of type {arguments.kind(value)}", hint)
        if (dtype := dtypes.lookup(value.strip())) is not None:
            return dtype
        try:
            node = expressions.parse(value)
            expressions.check_names(node, names[: names.index(name)], names)
        except ExpressionError as error:
            raise self._error(error.code, f"{name}={value.strip()}: {error.message}", error.hint) from None
        return Expr(node, ("--set", name), value.strip())

    def diagnose(self, faults: Iterable[Fault]) -> list[Diagnostic]:
        """Faults with the file, line and column they are at, in that order."""
        listed = list(faults) if isinstance(faults, Iterable) else [faults]
        if not all(isinstance(fault, Fault) for fault in listed):
            raise ArgumentTypeError("faults must be faults, as verdicts have them")
        return sorted(map(self.document.diagnose, listed), key=lambda d: (d.line or 0, d.column or 0))

    def _judged(
        self, budgets: Iterable[BudgetSpec], options: Options | None, params: Mapping[str, int | bool | str]
    ) -> list[Verdict]:
        choices, checked = self.choices(params), options_of(options)
        return self._attempt(lambda: for_library(judge_filled(self.spec, choices, budgets, checked)))

    def _known(self, name: str) -> tuple[str, ...]:
        """The names of all parameters, this one among them."""
        names = self.params
        if name in names:
            return names
        arguments.text("name", name, "the name of a parameter (a str)")
        raise self._error("unknown-parameter", f"unknown parameter {name!r}", did_you_mean(name, names))

    def _fill_axis(self, name: str, values: str | Sequence[int]) -> Axis:
        from smemdsl.scenario.axes import fill_fault, read_axis

        self._known(name)
        try:
            axis = read_axis(name, choosable(name, values), lambda value, _: self.choice(name, value))
        except ExpressionError as error:
            raise self._error(error.code, f"--fill {name}: {error.message}", error.hint) from None
        if fault := fill_fault(axis):
            raise self._error(fault.code, f"--fill {name}: {fault.message}", fault.hint)
        return axis

    def _error(self, code: str, message: str, hint: str = "") -> ScenarioError:
        return ScenarioError([discovery.problem(self.path, code, message, hint)])

    def _attempt(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except FaultError as error:
            fails = isinstance(error, ConstraintError)
            raise ScenarioError(self.diagnose(error.faults), fails=fails) from None
        except UnknownNameError as error:
            raise self._error("unknown-policy", error.message, error.hint) from None


def load(path: str | os.PathLike[str]) -> Scenario:
    """The scenario in a file, or one that ships (`builtin:epilogue`).

    Raises:
        ScenarioError: the path is not that of one file, or the file cannot be read or is not valid; the
            error carries every diagnostic.
    """
    name = path_of(path)
    found, *others = discovery.find((name,))
    if others:
        message = f"{len(others) + 1} scenarios found, expected one"
        found = discovery.problem(discovery.printable(name), "several-scenarios", message)
    text = found if isinstance(found, Diagnostic) else discovery.read(found)
    if isinstance(text, Diagnostic):
        raise ScenarioError([text])
    return loads(text.text, text.shown)


def loads(text: str, path: str = "<string>") -> Scenario:
    """The scenario that a YAML text holds, or a table of intervals; `path` is what messages call it.

    A table is a CSV with the columns `id,lower,upper,size` (and `alignment`), as google/minimalloc has it:
    it is packed by policy `optimal` and judged by the capacity in NAME.CAPACITY.csv, else by the sum of its
    sizes.

    Raises:
        ScenarioError: the text is not valid.
    """
    arguments.text("text", text)
    arguments.text("path", path)
    if discovery.is_table(path, text):
        from smemdsl.scenario.reading.interval_table import read_table

        return Scenario(*read_table(path, text))
    source = document.parse(path, text)
    try:
        spec = read(source)
    except FaultError as error:
        found = sorted(map(source.diagnose, error.faults), key=lambda d: (d.line or 0, d.column or 0))
        raise ScenarioError(found) from None
    return Scenario(source, spec)
