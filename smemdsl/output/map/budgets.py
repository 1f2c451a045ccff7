"""Where budgets end: within the arena, at its end, above it, or before it begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Bytes
from smemdsl.core.units import kib
from smemdsl.judging.verdict import Verdict
from smemdsl.output.picture import budget_line


class BudgetLine(NamedTuple):
    """Budgets that end at the same address of the arena."""

    address: Bytes
    names: str
    verdict: Verdict
    """Of the first of them."""

    @property
    def words(self) -> str:
        """How far it is from what the launch takes."""
        left = self.verdict.budget.bytes - self.verdict.plan.launch
        if left >= 0:
            return f"{kib(left)} left"
        requested = self.address >= self.verdict.arena_bytes
        return f"{kib(-left)} {'more is requested' if requested else 'too much'}"


def limits(verdicts: Iterable[Verdict]) -> list[BudgetLine]:
    """The budgets of verdicts on the same plan, by the address at which they end."""
    found: dict[Bytes, BudgetLine] = {}
    for verdict in verdicts:
        address, name = budget_line(verdict), verdict.budget.name
        known = found.get(address)
        if known is None:
            found[address] = BudgetLine(address, name, verdict)
        elif name not in known.names.split(", "):
            found[address] = known._replace(names=f"{known.names}, {name}")
    return [found[address] for address in sorted(found)]


def within(all_limits: Sequence[BudgetLine], arena: Bytes) -> list[BudgetLine]:
    """Those that end inside the arena."""
    return [limit for limit in all_limits if 0 < limit.address < arena]
