"""The lints, one module a rule: `check` finds what the docstring describes, as warnings.

A docstring is the rule's page: what, why, an example that fails, the fix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from smemdsl.core.errors import Fault

if TYPE_CHECKING:
    from smemdsl.api import Scenario
    from smemdsl.judging.verdict import Verdict
    from smemdsl.rules.subject import LintSubject

LINTS = (
    "sm-budget",
    "no-opt-in",
    "tma-align",
    "unused-parameter",
    "unused-region",
    "idle-expectation",
    "swizzle-shape",
    "gemm-shape",
    "partial-warp",
    "occupancy-step",
)
"""Codes of the lints, in the order in which they look."""


def module_of(code: str) -> str:
    """The module of a lint."""
    return f"smemdsl.rules.lints.{code.replace('-', '_')}"


def lint(scenario: Scenario, verdicts: Sequence[Verdict]) -> Iterator[Fault]:
    """Everything that the lints find in a scenario that was judged as it stands."""
    from smemdsl.rules.subject import LintSubject

    subject = LintSubject(scenario, verdicts)
    for check in _checks():
        yield from check(subject)


@lru_cache(maxsize=1)
def _checks() -> list[Callable[[LintSubject], Iterator[Fault]]]:
    return [import_module(module_of(code)).check for code in LINTS]
