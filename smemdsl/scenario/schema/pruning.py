"""What is left of a document without its misspelt keys, so that the rest can be read too."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from smemdsl.core.errors import Fault
from smemdsl.scenario.schema import accepts


def without_unknown_keys(value: Any, faults: Iterable[Fault]) -> Any:
    """The document without the keys that nothing knows; None where more than that is wrong.

    A key at the top may be what the rest depends on, so it cannot be left out.
    """
    if any(fault.code != "unknown-key" or len(fault.where) == 1 for fault in faults):
        return None
    value = deepcopy(value)
    for *steps, key in (fault.where for fault in faults):
        inner = value
        for step in steps:
            inner = inner[step]
        del inner[key]
    return value if accepts(value) else None
