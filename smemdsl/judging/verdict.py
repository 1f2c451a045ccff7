"""What became of one scenario on one budget."""

from collections.abc import Mapping
from typing import NamedTuple

from smemdsl.core.buffers import Bytes, PlacedBuffer
from smemdsl.core.confidence import APPROXIMATE, Uncertainty, confidence, reasons
from smemdsl.core.errors import Fault
from smemdsl.devices import Budget, Obstacle, Occupancy
from smemdsl.judging.plan import ArenaPlan
from smemdsl.scenario.binding import plain
from smemdsl.scenario.spec import BudgetSpec

OK, OVER, FAIL = "OK", "OVER", "FAIL"


class Verdict(NamedTuple):
    """What became of one scenario on one budget."""

    plan: ArenaPlan
    budget: Budget
    asked: BudgetSpec
    """The budget as it was asked for: `budget` is what became of it."""
    fits: bool
    """Whether a block can be launched: it is within the budget, and nothing of the device is in the way."""
    verdict: str
    """OK; OVER where it does not fit; FAIL where a constraint or an expectation does not hold."""
    occupancy: Occupancy | None
    """Blocks per SM; None where the budget is not a device with an occupancy rule."""
    warnings: tuple[Fault, ...] = ()
    failures: tuple[Fault, ...] = ()
    """Constraints and expectations that do not hold."""
    over_expected: bool = False
    """An OVER that the file expects: no failure."""
    obstacle: Obstacle | None = None
    """Why it does not fit."""

    @property
    def limit(self) -> str | None:
        """What is in the way, one of `devices.LIMITS`; None where it fits.

        `budget`, the number of bytes that was judged; `opt-in`, what one block of the device may have;
        `static`, what a kernel may declare; `threads`, `registers` or `cluster`.
        """
        return None if self.obstacle is None else self.obstacle.limit

    @property
    def allowed_bytes(self) -> Bytes:
        """The most that a block may take: the budget, and no more than one block of the device may have."""
        preset = self.budget.preset
        return self.budget.bytes if preset is None else min(self.budget.bytes, preset.block_bytes)

    @property
    def scenario(self) -> str:
        """The scenario's name."""
        return self.plan.name

    @property
    def params(self) -> Mapping[str, int | bool | str]:
        """Values of the parameters, dtypes by their names."""
        return {name: plain(value) for name, value in self.plan.params.items()}

    @property
    def filled(self) -> Mapping[str, int | bool | str]:
        """Of the parameters, those that `fill` gave the largest value that fits."""
        return {name: plain(self.plan.params[name]) for name in self.plan.filled}

    @property
    def policy(self) -> str:
        """The packing policy."""
        return self.plan.policy

    @property
    def layout(self) -> tuple[PlacedBuffer, ...]:
        """Where each buffer lies, in file order."""
        return self.plan.layout

    @property
    def static_bytes(self) -> Bytes:
        """Bytes outside the arena."""
        return self.plan.lowered.static_bytes

    @property
    def no_reuse_bytes(self) -> Bytes:
        """The sum of all buffers: what they would take if none shared storage."""
        return self.plan.no_reuse

    @property
    def peak_bytes(self) -> Bytes:
        """The most that is live at one slot: what no arena can go below."""
        return self.plan.peak.bytes

    @property
    def arena_bytes(self) -> Bytes:
        """Size of the arena."""
        return self.plan.packing.arena

    @property
    def request_bytes(self) -> Bytes | None:
        """Dynamic bytes that the launch asks for, where the file says so."""
        return self.plan.request

    @property
    def lower_bound_bytes(self) -> Bytes | None:
        """What no arena can go below, where the policy proves something."""
        return self.plan.packing.lower_bound

    @property
    def proved(self) -> bool | None:
        """Whether the arena is known to be optimal; None where the policy makes no claim."""
        return self.plan.packing.proved

    @property
    def confidence(self) -> str:
        """How sure the numbers are: `exact`; `bound`, where the compiler may take more; `approximate`."""
        return confidence(self.uncertain)

    @property
    def uncertain(self) -> tuple[Uncertainty, ...]:
        """Why the compiler's own answer may differ, each reason with its kind; empty where it is exact."""
        return (*self.plan.uncertain, *(self.obstacle.uncertain if self.obstacle else ()))

    @property
    def approximate(self) -> tuple[str, ...]:
        """Why the compiler's own answer may differ either way; empty where it should not."""
        return reasons(self.uncertain, APPROXIMATE)

    @property
    def used_bytes(self) -> Bytes:
        """Arena and static bytes."""
        return self.plan.used

    @property
    def blocks_per_sm(self) -> int | None:
        """Blocks that run on one SM; None where that is not known."""
        return None if self.occupancy is None else self.occupancy.blocks

    @property
    def passes(self) -> bool:
        """Whether nothing is wrong: it fits, or is expected not to, and every promise holds."""
        return self.verdict == OK or (self.verdict == OVER and self.over_expected)
