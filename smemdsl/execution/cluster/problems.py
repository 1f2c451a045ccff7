"""What goes wrong with a cluster, as diagnostics."""

from __future__ import annotations

from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.source.discovery import problem

FLAG = "--scheduler"


def other_version(message: str) -> Diagnostic:
    """Something that is to be the same everywhere differs."""
    return problem(FLAG, "cluster-versions", message, "install the same everywhere, the scheduler included")


def failure(message: str, hint: str = "") -> ScenarioError:
    """The engine does not do what it is there for."""
    return ScenarioError([problem(FLAG, "cluster", message, hint)])


def line(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
