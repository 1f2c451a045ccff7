"""What the library is asked, as the model has it: paths, budgets, options, values to choose from.

An argument that is not of its type is an ArgumentError.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

from smemdsl.core import arguments
from smemdsl.core.errors import ArgumentTypeError, ArgumentValueError
from smemdsl.core.units import LIMIT
from smemdsl.judging.plan import Options
from smemdsl.scenario.spec import BudgetSpec

_BUDGET = "a device, a size or an expression (a str), or a number of bytes (an int)"
_FILL = "a range such as '1..16', or a list of integers to choose from"


def path_of(path: Any) -> str:
    """A path as a text."""
    try:
        found = os.fspath(path)
    except TypeError:
        found = path
    return arguments.text("path", found, "a path: a str or an os.PathLike of one")


def budget_of(value: Any) -> BudgetSpec:
    """A budget; what it names is looked up when something is judged."""
    text = value if isinstance(value, str) else arguments.integer("budget", value, _BUDGET)
    return BudgetSpec(text, ("--budget",))


def budgets_of(values: Any) -> list[BudgetSpec]:
    """Several of them."""
    return [budget_of(value) for value in arguments.several("budgets", values, "a list of budgets")]


def options_of(options: Any) -> Options:
    """The options; policy and alignment get their meaning where they are used."""
    if options is None:
        return Options()
    if not isinstance(options, Options):
        raise ArgumentTypeError(f"options must be a smemdsl.Options, not {arguments.kind(options)}")
    policy, align, time_limit = options
    if policy is not None:
        arguments.text("policy", policy, "the name of a policy (a str)")
    if align is not None:
        align = arguments.integer("align", align, "a power of two, in bytes (an int)")
        if align >= LIMIT:
            raise ArgumentValueError("align must be below 2^63")
    if time_limit is not None:
        time_limit = arguments.seconds("time_limit", time_limit)
    return Options(policy, align, time_limit)


def choosable(name: str, values: Any) -> str | list[Any]:
    """What a parameter is to be filled from: the text of an axis, or a list that is not endless."""
    if isinstance(values, str):
        return values
    from smemdsl.scenario.axes import MOST_FILLED

    listed = list(islice(arguments.several(name, values, _FILL), MOST_FILLED + 1))
    if not 1 <= len(listed) <= MOST_FILLED:
        raise ArgumentValueError(f"{name} must have 1 to {MOST_FILLED} values to choose from")
    return listed
