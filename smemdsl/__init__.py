"""Does the kernel fit? Shared-memory budgets of pipelined GPU kernels, from a YAML file.

    import smemdsl
    scenario = smemdsl.load("scenarios/epilogue.yaml")
    verdict = scenario.check(num_stages=4, budget="sm_90")
    verdict.fits, verdict.arena_bytes, verdict.blocks_per_sm

Names are loaded when they are first used, so that a program pays for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from smemdsl._version import __version__

if TYPE_CHECKING:
    from smemdsl.api import Scenario, load, loads
    from smemdsl.core.buffers import PlacedBuffer
    from smemdsl.core.errors import (
        ArgumentError,
        Diagnostic,
        FaultError,
        InternalError,
        ScenarioError,
        SmemdslError,
        UnknownNameError,
    )
    from smemdsl.devices import occupancy
    from smemdsl.judging.library_verdict import Verdict
    from smemdsl.judging.plan import ArenaPlan as Plan
    from smemdsl.judging.plan import Options
    from smemdsl.judging.suggestions import Suggestion

__all__ = [
    "ArgumentError",
    "Diagnostic",
    "FaultError",
    "InternalError",
    "Options",
    "PlacedBuffer",
    "Plan",
    "Scenario",
    "ScenarioError",
    "SmemdslError",
    "Suggestion",
    "UnknownNameError",
    "Verdict",
    "__version__",
    "load",
    "loads",
    "occupancy",
]

_HOMES = {
    "api": ("Scenario", "load", "loads"),
    "devices": ("occupancy",),
    "core.errors": (
        "ArgumentError",
        "Diagnostic",
        "FaultError",
        "InternalError",
        "ScenarioError",
        "SmemdslError",
        "UnknownNameError",
    ),
    "judging.library_verdict": ("Verdict",),
    "core.buffers": ("PlacedBuffer",),
    "judging.plan": ("Options", "Plan"),
    "judging.suggestions": ("Suggestion",),
}
_INSIDE = {"Plan": "ArenaPlan"}
"""What a public name is called inside the package, where that differs."""


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"smemdsl.{module}"), _INSIDE.get(name, name))
    raise AttributeError(f"module 'smemdsl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
