"""Runs one lint on what stands below the version line."""

from __future__ import annotations

from smemdsl.api import loads
from smemdsl.rules.lints import lint


def found(code: str, text: str) -> list[str]:
    """The places at which a lint has something to say, as `line:column`; line 1 is the version's."""
    scenario = loads(f"smemdsl: 1\n{text}", "k.yaml")
    faults = [fault for fault in lint(scenario, scenario.own_verdicts()) if fault.code == code]
    assert all(fault.severity == "warning" for fault in faults)
    return [f"{item.line}:{item.column}" for item in scenario.diagnose(faults)]
