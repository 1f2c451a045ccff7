"""What a report page shows, as data: nothing in it knows about HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smemdsl.core.buffers import Bytes, PlacedBuffer, Slot
from smemdsl.core.errors import Diagnostic


class Group(NamedTuple):
    """Buffers that share the bytes from `start` to `end`, by their indexes."""

    start: Bytes
    end: Bytes
    members: tuple[int, ...]


class ReuseMark(NamedTuple):
    """At a slot a buffer takes over storage from others, by their indexes."""

    slot: Slot
    buffer: int
    previous: tuple[int, ...]


class Layout(NamedTuple):
    """An arena, packed by one policy."""

    params: tuple[str, ...]
    """Values of all parameters, in the scenario's order."""
    filled: tuple[str, ...]
    """Parameters that took the largest value that fits."""
    tiles: tuple[PlacedBuffer, ...]
    statics: tuple[tuple[str, int, Bytes], ...]
    """Name, versions and bytes of what lies outside the arena."""
    static: Bytes
    no_reuse: Bytes
    peak: Bytes
    peak_slot: Slot
    arena: Bytes
    request: Bytes | None
    """What the launch asks for, where the file says so."""
    bound: Bytes
    """What no arena can go below, as far as it is known: the peak, or what the policy proves."""
    groups: tuple[Group, ...]
    hand_overs: tuple[ReuseMark, ...]
    edges: tuple[float, ...]
    """Where on the axis, from 0 to 1, each slot stands at which something begins or ends, in order."""
    to_scale: bool
    """Whether equal times take equal room on that axis."""
    doubts: tuple[str, ...]
    """Why the compiler's own answer may differ."""


class BudgetOutcome(NamedTuple):
    """A layout on one budget."""

    layout: Layout
    budget: Bytes
    word: str
    """OK, OVER or FAIL, as a table shows it: with a question mark, and with what is in the way."""
    blocks: int | None
    limiters: tuple[str, ...]
    """What allows no more blocks per SM."""
    warnings: tuple[str, ...]


class Case(NamedTuple):
    """One combination of the controls: an outcome for each budget and policy, budgets first; or why none."""

    outcomes: tuple[BudgetOutcome, ...]
    word: str = ""
    """Where there are no outcomes: FAIL if a constraint rules the combination out, else INVALID."""
    problem: str = ""


class Control(NamedTuple):
    """A swept parameter, or the list of configurations, and what it can be set to."""

    name: str
    values: tuple[str, ...]
    initial: int
    """Index of what the base row has."""
    is_range: bool
    """The values are integers, in ascending order."""


class BaselineFigures(NamedTuple):
    """What the baseline had for a scenario on one budget."""

    used: Bytes
    arena: Bytes
    word: str
    blocks: int | None


class BaselineComparison(NamedTuple):
    """A scenario beside its baseline."""

    before: Mapping[str, BaselineFigures]
    """By the budget's name; without those that the baseline has not."""
    changes: tuple[str, ...]
    """What changed, and what explains it, a line each."""


class ReportEntry(NamedTuple):
    """One scenario that can be judged."""

    name: str
    path: str
    summary: str
    changed: tuple[str, ...]
    """For each budget the parameters whose values are not the file's, as `name=value`."""
    params: tuple[str, ...]
    budgets: tuple[str, ...]
    policies: tuple[str, ...]
    controls: tuple[Control, ...]
    cut: str
    """What is said where not all combinations were worked out."""
    cases: tuple[Case, ...]
    """Of all combinations of the controls, the last control fastest; one if there are none."""
    base: int
    """Index of the case that is the scenario as it stands, or as the command line has it."""
    problems: tuple[int, ...]
    """Indexes of what the page has to say of it."""
    comparison: BaselineComparison | None = None
    """None without a baseline, and for a scenario that it does not have."""

    @property
    def outcomes(self) -> tuple[BudgetOutcome, ...]:
        """What the base row shows."""
        return self.cases[self.base].outcomes


class Unjudged(NamedTuple):
    """An input without a verdict on any budget."""

    path: str
    word: str
    """INVALID, or FAIL where a constraint rules it out."""
    problems: tuple[int, ...]
    """Indexes of what the page has to say of it."""


class ReportPage(NamedTuple):
    """A whole report."""

    title: str
    headline: str
    """The counts."""
    notes: tuple[str, ...]
    entries: tuple[ReportEntry, ...]
    unjudged: tuple[Unjudged, ...]
    problems: tuple[Diagnostic, ...]
    """Everything that was found, by file and line."""
    baseline: str
    """What the numbers are compared with; empty without."""
    gone: tuple[str, ...]
    """Scenarios that only the baseline has."""
