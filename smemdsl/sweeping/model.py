"""What a sweep is asked for, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from smemdsl.api import Scenario
from smemdsl.core import exit_codes
from smemdsl.core.buffers import Bytes
from smemdsl.core.confidence import Uncertainty
from smemdsl.core.errors import Diagnostic, FaultError
from smemdsl.judging.plan import Options
from smemdsl.judging.result import INVALID
from smemdsl.judging.verdict import OK, OVER, Verdict
from smemdsl.scenario.spec import Axis, BudgetSpec, Choice, Value

MAX_DIAGNOSTICS = 20
"""Configurations in error that are told in full; the rest are only counted."""

Config = Mapping[str, Choice]
"""Values for some of the parameters."""


class Task(NamedTuple):
    """A scenario and what to sweep it over: axes, or configurations where there are some."""

    scenario: Scenario
    axes: tuple[Axis, ...]
    configs: Sequence[Config]
    fixed: Config
    """Values that hold in every row."""
    budgets: tuple[BudgetSpec, ...]
    options: Options


class SweepTable(NamedTuple):
    """What the rows of a sweep have in common."""

    columns: tuple[str, ...]
    """The swept parameters."""
    largest: str | None
    """The parameter whose largest feasible value each row holds, the last of the columns."""
    scenarios: bool
    """Rows are of several scenarios."""
    budgets: bool
    """Rows are of several budgets."""
    integers: tuple[str, ...] = ()
    """Columns whose every value is an integer, or missing."""

    @property
    def lead(self) -> list[str]:
        """Headers of what stands before the parameters."""
        return (["scenario"] if self.scenarios else []) + (["budget"] if self.budgets else [])

    def leading(self, row: SweepRow) -> list[str]:
        """What stands before the parameters in a row."""
        return ([row.scenario] if self.scenarios else []) + ([row.budget] if self.budgets else [])


class Figures(NamedTuple):
    """The numbers of a verdict, in bytes but for the last three, and how sure they are."""

    no_reuse: Bytes
    peak: Bytes
    arena: Bytes
    used: Bytes
    budget: Bytes
    blocks: int | None
    """Blocks per SM; None where they are not known."""
    limit: str | None
    """What is in the way, as `Verdict.limit`; None where it fits."""
    confidence: str


class SweepRow(NamedTuple):
    """One configuration on one budget."""

    path: str
    scenario: str
    budget: str
    values: tuple[Value | str | None, ...]
    """Of the table's columns; None where the scenario has no such parameter or no value fits."""
    word: str
    """OK, OVER or INVALID."""
    figures: Figures | None
    """None for an INVALID configuration, and where no value fits."""
    verdict: Verdict | None = None
    """The whole story behind the figures, for those who ask for it."""
    params: Mapping[str, Value] | None = None
    """Of an INVALID configuration every parameter, where all of them have a value."""


class SweepSubject(NamedTuple):
    """What all rows of a scenario on one budget have in common."""

    path: str
    scenario: str
    policy: str
    budget: str
    params: tuple[str, ...]
    """The scenario's parameters."""
    request: bool
    """The file says how much the launch asks for."""
    uncertain: tuple[Uncertainty, ...]
    """Why no row is exact."""


class RowField(NamedTuple):
    """A place in a line of text."""

    name: str
    """A field of `Figures`, or `static`, `request`, `word`; or a parameter."""
    param: bool = False


class RowFormat(NamedTuple):
    """How a row is written as text."""

    text: Callable[[SweepRow], str]
    """Any row."""
    parts: Callable[[SweepSubject], Sequence[str | RowField]]
    """The text and the places of a row that has figures; empty where every row is to be written by `text`."""
    value: Callable[[Any], str]
    """A parameter that is not an integer; one that is stands as it is."""
    nothing: str
    """Stands for what is not known."""


class Stream(NamedTuple):
    """How a sweep is written row by row."""

    head: str
    between: str
    """What separates two rows."""
    line: RowFormat
    tail: Callable[[Tally], str]


class Tally:
    """Counts what a sweep came across, while its rows stream by."""

    def __init__(self, unswept: int = 0, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.words = {OK: 0, OVER: 0, INVALID: 0}
        self.skipped = 0
        self.unswept = unswept
        """Scenarios that could not be swept at all."""
        self.diagnostics = list(diagnostics)
        """What is wrong with those, then with configurations."""
        self.untold = 0
        """Errors of configurations that found no room there."""
        self._room = len(self.diagnostics) + MAX_DIAGNOSTICS

    def invalid(self, scenario: Scenario, error: FaultError) -> None:
        """Keep what is wrong with a configuration."""
        self.words[INVALID] += 1
        if len(self.diagnostics) < self._room:
            self._tell(scenario.diagnose(error.faults))
        else:
            self.untold += len(error.faults)

    def add(self, other: Tally) -> None:
        """Take over what another one has counted, and kept, after this one."""
        self.skipped += other.skipped
        for word, count in other.words.items():
            self.words[word] += count
        self._tell(other.diagnostics)
        self.untold += other.untold

    def _tell(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep what is not known yet, while there is room."""
        for diagnostic in diagnostics:
            if diagnostic in self.diagnostics:
                continue
            if len(self.diagnostics) < self._room:
                self.diagnostics.append(diagnostic)
            else:
                self.untold += 1

    def counts(self) -> dict[str, int]:
        """Rows by verdict, and configurations that a constraint ruled out."""
        ok, over, bad = (self.words[word] for word in (OK, OVER, INVALID))
        return {"rows": ok + over + bad, "ok": ok, "over": over, "invalid": bad, "skipped": self.skipped}

    def exit_code(self) -> int:
        """0 where at least one row fits, 2 where one is in error, else 1."""
        if self.words[INVALID] or self.unswept:
            return exit_codes.INVALID
        return exit_codes.OK if self.words[OK] else exit_codes.OVER


def figures(verdict: Verdict) -> Figures:
    """The numbers of a verdict."""
    plan = verdict.plan
    return Figures(
        plan.no_reuse,
        plan.peak.bytes,
        plan.packing.arena,
        plan.used,
        verdict.budget.bytes,
        verdict.blocks_per_sm,
        verdict.limit,
        verdict.confidence,
    )
