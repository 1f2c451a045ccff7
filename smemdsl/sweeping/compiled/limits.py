"""Budgets and blocks per SM: what a budget allows, worked out before the rows that ask."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from smemdsl import devices
from smemdsl.core.buffers import Bytes
from smemdsl.core.errors import FaultError, SmemdslError
from smemdsl.devices import Budget, Device
from smemdsl.scenario import expressions
from smemdsl.scenario.expressions import Node
from smemdsl.scenario.spec import BudgetSpec, ScenarioSpec
from smemdsl.sweeping.compiled.arithmetic import not_below
from smemdsl.sweeping.compiled.expressions import TermEnv, compiled
from smemdsl.sweeping.compiled.fields import least
from smemdsl.sweeping.compiled.terms import INT, OTHER, CodeBuilder, Term, UncompilableError, UnsureError


class BudgetTerms(NamedTuple):
    """A budget of every configuration."""

    name: str
    bytes: Term
    steps: Term | None
    """`OccupancyTable` of its device; None where no occupancy rule is known."""
    most: Bytes | None
    """What one block of its device may have; None where it is not a device."""
    most_static: Bytes | None
    """What a kernel may declare; None where that is not known."""


class OccupancyTable(NamedTuple):
    """Blocks per SM by the shared memory that a block takes: `blocks[i]` up to `most[i]` bytes."""

    most: tuple[Bytes, ...]
    blocks: tuple[int, ...]
    """One more than `most`: the last is what runs past all of them, 0."""
    obstacle: str | None
    """What of the threads and registers lets no block run."""


def limit(build: CodeBuilder, spec: ScenarioSpec, budget: BudgetSpec, env: TermEnv) -> BudgetTerms:
    """What a budget allows.

    Raises:
        UncompilableError: it cannot be resolved, or `blocks_per_sm` asks for what it cannot give.
    """
    nodes: list[Node] = []

    def evaluate(text: str) -> int:
        node = expressions.parse(text)
        expressions.check_names(node, env)
        nodes.append(node)
        return 0

    try:
        resolved = devices.resolve_budget(budget.text, evaluate)
    except SmemdslError as error:
        raise UncompilableError from error
    allowed = build.constant(resolved.bytes)
    if nodes:
        term = compiled(nodes[0], env, build)
        if term.kind != INT:
            raise UncompilableError
        allowed = not_below(build, 0, build.pin(term))
    if spec.blocks_per_sm is not None:
        allowed = _shared(build, resolved, least(build, 1, spec.blocks_per_sm, env))
    preset = resolved.preset
    special = devices.is_architecture_specific(str(budget.text))
    most_static = preset and devices.static_limit(preset.device, architecture_specific=special)
    steps = _steps(build, spec, resolved, env)
    return BudgetTerms(resolved.name, build.pin(allowed), steps, preset and preset.block_bytes, most_static)


def _shared(build: CodeBuilder, budget: Budget, blocks: Term) -> Term:
    if budget.preset is None:
        raise UncompilableError

    @lru_cache(maxsize=256)
    def shared(count: int) -> Bytes:
        try:
            return devices.shared_by(budget, count).bytes
        except FaultError as error:
            raise UnsureError from error

    return build.pin(
        build.term(f"{build.named('shared', shared)}({{0}})", (blocks,), INT, -(1 << 40), 1 << 40, risky=True)
    )


def _steps(build: CodeBuilder, spec: ScenarioSpec, budget: Budget, env: TermEnv) -> Term | None:
    preset = budget.preset
    if preset is None or preset.device.sm is None:
        return None

    @lru_cache(maxsize=1024)  # the device is not looked at for each row
    def steps(threads: int | None, registers: int | None) -> OccupancyTable:
        return of_device(preset.device, threads, registers, opt_in=preset.opt_in)

    given = {"threads": spec.threads, "registers": spec.registers}
    operands = [env[name] for name, number in given.items() if number is not None]
    places = iter(range(len(operands)))
    inside = ["None" if number is None else f"{{{next(places)}}}" for number in given.values()]
    template = f"{build.named('steps', steps)}({', '.join(inside)})"
    return build.pin(build.term(template, operands, OTHER))


@lru_cache(maxsize=1024)
def of_device(device: Device, threads: int | None, registers: int | None, *, opt_in: bool) -> OccupancyTable:
    """The steps of a device, from one to the next. More memory never lets more blocks run."""
    most: list[Bytes] = []
    blocks: list[int] = []
    used = 0
    while True:
        blocks.append(
            devices.blocks_per_sm(
                device, dynamic_bytes=used, threads=threads, registers=registers, opt_in=opt_in
            ).blocks
        )
        step = devices.occupancy_cliffs(
            device, dynamic_bytes=used, threads=threads, registers=registers, opt_in=opt_in
        )
        if step.more is None:
            found = devices.of_threads(device, threads, registers)
            return OccupancyTable(tuple(most), tuple(blocks), found and found.limit)
        used += step.more
        most.append(used - 1)


def running(build: CodeBuilder, steps: Term, used: Term) -> Term:
    """Blocks that run on an SM when each takes that much."""
    template = f"{{0}}[1][{build.function(bisect_left)}({{0}}[0], {{1}})]"
    return build.term(template, (steps, used), INT, 0, 1 << 20)
