"""Configurations and policies that fit, found by judging them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from smemdsl.core.confidence import AT_MOST, SIGNS
from smemdsl.core.errors import FaultError
from smemdsl.judging.fill import filled_plan
from smemdsl.judging.judge import judge
from smemdsl.judging.plan import Options
from smemdsl.judging.suggestions.model import QUICK, Suggestion
from smemdsl.judging.suggestions.nearest import MOST_STEPS, Sides, cheapest_pairs, sides
from smemdsl.judging.verdict import Verdict
from smemdsl.policies import policy_names
from smemdsl.scenario.binding import bind, plain, show
from smemdsl.scenario.spec import Axis, Choice, Expr, Value

MOST_CONFIGS = 2
"""Listed configurations that are suggested."""


class FitSearch:
    """What may be changed about one verdict, judged anew with each change.

    What is looked for fits, and lets at least `blocks` run on an SM.
    """

    def __init__(self, verdict: Verdict, blocks: int = 0) -> None:
        plan = verdict.plan
        self._blocks = blocks
        self._plan = plan
        self._budget = verdict.asked
        self._given = {name: value for name, value in plan.given.items() if name not in plan.filled}
        self._alone: dict[tuple[str, Value], bool] = {}

    def parameters(self) -> Iterator[Suggestion]:
        """For each swept parameter the nearest values on either side that fit alone."""
        for name, near in self._axes().items():
            for side in near:
                found = next((value for value in side if self._fits_alone(name, value)), None)
                if found is not None:
                    yield from self._suggested("parameter", {name: found})

    def pair(self) -> Iterator[Suggestion]:
        """Two changes that fit together where neither does alone: of the fewest steps, what uses the most."""
        for _, pairs in groupby(cheapest_pairs(self._axes()), lambda pair: pair.steps):
            fitting = [
                (verdict.plan.launch, pair.settings)
                for pair in pairs
                if not any(self._fits_alone(name, value) for name, value in pair.settings.items())
                and (verdict := self._tried(pair.settings)) is not None
            ]
            if fitting:
                yield from self._suggested("pair", max(fitting, key=lambda found: found[0])[1])
                return

    def configs(self) -> Iterator[Suggestion]:
        """Of the configurations that the file lists, those nearest by number of changes that fit."""
        listed = [self._changes(dict(config)) for config in self._plan.spec.configs[:MOST_STEPS]]
        wanted = sorted((changes for changes in listed if changes), key=len)
        fitting = (changes for changes in wanted if self._tried(changes) is not None)
        for changes, _ in zip(fitting, range(MOST_CONFIGS), strict=False):
            yield from self._suggested("config", changes)

    def policies(self) -> Iterator[Suggestion]:
        """Other policies that pack it into the budget, the smallest arena first."""
        found: list[Suggestion] = []
        for policy in policy_names():
            if policy != self._plan.policy:
                found += self._suggested("policy", {}, policy)
        return iter(sorted(found, key=lambda suggestion: suggestion.arena_bytes))

    def _axes(self) -> dict[str, Sides]:
        """The swept parameters with the values on either side of the one they have."""
        params = self._plan.params
        return {a.name: sides(self._values(a), params[a.name]) for a in self._plan.spec.axes}

    def _values(self, axis: Axis) -> Sequence[Value]:
        if isinstance(axis.values, range):
            return axis.values
        return [value for choice in axis.values for value in self._value(axis.name, choice)]

    def _value(self, name: str, choice: Choice) -> Iterator[Value]:
        """What a choice stands for beside the values given; nothing where it has no value."""
        if not isinstance(choice, Expr):
            yield choice
            return
        try:
            yield bind(self._plan.spec, {**self._given, name: choice})[name]
        except FaultError:
            return

    def _changes(self, config: Mapping[str, Choice]) -> dict[str, Value]:
        """What a listed configuration changes; nothing where one of its values has none."""
        try:
            env = bind(self._plan.spec, {**self._given, **config})
        except FaultError:
            return {}
        return {name: env[name] for name in config if env[name] != self._plan.params[name]}

    def _fits_alone(self, name: str, value: Value) -> bool:
        key = name, value
        if key not in self._alone:
            self._alone[key] = self._tried({name: value}) is not None
        return self._alone[key]

    def _tried(self, settings: Mapping[str, Value]) -> Verdict | None:
        limit = self._plan.options.time_limit
        quick = self._plan.options._replace(time_limit=QUICK if limit is None else min(limit, QUICK))
        return self._fitting(settings, quick)

    def _fitting(self, settings: Mapping[str, Value], options: Options) -> Verdict | None:
        """The verdict of a changed configuration, if it holds the constraints, fits, and lets enough run."""
        spec = self._plan.spec
        try:
            plan = filled_plan(spec, {**self._given, **settings}, self._budget, options)
            verdict = judge(plan, self._budget)
        except FaultError:
            return None
        enough = not self._blocks or (verdict.blocks_per_sm or 0) >= self._blocks
        return verdict if verdict.fits and not plan.violated and enough else None

    def _suggested(
        self, kind: str, settings: Mapping[str, Value], policy: str | None = None
    ) -> Iterator[Suggestion]:
        """The suggestion, with what comes of it when it is asked for as a person would; if it fits indeed."""
        options = self._plan.options if policy is None else self._plan.options._replace(policy=policy)
        verdict = self._fitting(settings, options)
        if verdict is None:
            return
        flags = [f"--set {shlex.quote(f'{name}={show(value)}')}" for name, value in settings.items()]
        change = " ".join(flags if policy is None else [f"--policy {policy}"])
        values = {name: plain(value) for name, value in settings.items()}
        yield Suggestion(kind, change, outcome(verdict), True, verdict.arena_bytes, values, policy)


def outcome(verdict: Verdict) -> str:
    """What a verdict comes to: `98304 of 101376 B, 1 block/SM`."""
    plan = verdict.plan
    parts = [f"{SIGNS[plan.confidence]}{plan.launch} of {verdict.budget.bytes} B"]
    blocks = verdict.blocks_per_sm
    if blocks is not None:
        parts.append(f"{AT_MOST[plan.confidence]}{blocks} {'block' if blocks == 1 else 'blocks'}/SM")
    if plan.filled:
        chosen = " ".join(f"{name}={show(plan.params[name])}" for name in plan.filled)
        parts.append(f"filled to {chosen}")
    return ", ".join(parts)
