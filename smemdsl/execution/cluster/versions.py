"""What the machines of a cluster run, which must be the same everywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from smemdsl import _version
from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.execution.cluster.problems import other_version

_LIBRARIES = ("dask", "distributed", "cloudpickle")
"""Those that what is sent goes through."""
_MOST_NAMED = 3
"""Machines that are named in one message."""


def versions() -> dict[str, str]:
    """What runs here, by name."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    libraries = {name: str(import_module(name).__version__) for name in _LIBRARIES}
    return {"smemdsl": _version.__version__, "Python": python, **libraries}


def compare(client: Any) -> None:
    """See to it that the scheduler and all workers run what runs here.

    Raises:
        ScenarioError: they do not; with a diagnostic for each thing that differs.
    """
    found = {"the scheduler": _attempt(lambda: client.run_on_scheduler(versions))}
    found |= {f"worker {who}": answer for who, answer in client.run(versions, on_error="return").items()}
    pairs = ((name, differing(name, version, found)) for name, version in versions().items())
    wrong = [_told(name, others) for name, others in pairs if others]
    if wrong:
        raise ScenarioError(wrong)


def _attempt(action: Callable[[], object]) -> object:
    try:
        return action()
    except Exception as error:  # noqa: BLE001 - whatever comes of a scheduler without smemdsl
        return error


def differing(name: str, version: str, found: Mapping[str, Any]) -> dict[str, list[str]]:
    """Who runs another version of something, by that version; who could not answer has no smemdsl."""
    others: dict[str, list[str]] = {}
    for who, answer in found.items():
        own = answer[name] if isinstance(answer, dict) else "missing" if name == "smemdsl" else version
        if own != version:
            others.setdefault(own, []).append(who)
    return others


def _told(name: str, others: Mapping[str, list[str]]) -> Diagnostic:
    parts = [f"{version} on {_named(who)}" for version, who in others.items()]
    return other_version(f"{name} is {versions()[name]} here, {'; '.join(parts)}")


def _named(who: list[str]) -> str:
    more = len(who) - _MOST_NAMED
    return ", ".join(who[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
