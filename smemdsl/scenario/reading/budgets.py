"""What a scenario is judged against, from a document: each budget means something, none has a value yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from smemdsl import devices
from smemdsl.core.errors import DocPath, ExpressionError, Fault, UnknownNameError
from smemdsl.scenario import expressions
from smemdsl.scenario.spec import BudgetSpec

TRITON = "triton:"
"""What a target begins with where Triton is the compiler: `triton:sm_90`."""
DEFAULT_BUDGET = "h100-sm-shared-228kb"


def for_triton(value: Mapping[str, Any]) -> bool:
    """Whether a document is written for Triton."""
    target = value.get("target")
    return isinstance(target, str) and target.startswith(TRITON)


def read_budgets(
    value: Mapping[str, Any], names: Collection[str], complain: Callable[[Fault], None]
) -> tuple[BudgetSpec, ...]:
    """The budgets of a document: `budget`, else `target`, else the default; expressions may use `names`."""
    target = value.get("target", "").removeprefix(TRITON)
    known = not target or _is_device(target, complain)
    written: list[tuple[str | int, DocPath]] = []
    if "budget" not in value:
        written = [(target, ("target",))] if target and known else []
    elif isinstance(value["budget"], list):
        written = [(item, ("budget", i)) for i, item in enumerate(value["budget"])]
    else:
        written = [(value["budget"], ("budget",))]
    for text, where in written:
        if fault := budget_fault(text, where, names):
            complain(fault)
    return tuple(BudgetSpec(text, where) for text, where in written) or (BudgetSpec(DEFAULT_BUDGET, ()),)


def _is_device(target: str, complain: Callable[[Fault], None]) -> bool:
    """Whether a target is a device: nothing else, and also where something else is the budget."""
    try:
        devices.resolve(target)
    except UnknownNameError as error:
        complain(Fault(("target",), "unknown-device", error.message, error.hint))
        return False
    return True


def budget_fault(text: str | int, where: DocPath, names: Collection[str]) -> Fault | None:
    """What is wrong with a budget: it is not a device, a size or an expression of known names."""

    def no_value_yet(expression: str) -> int:
        expressions.check_names(expressions.parse(expression), names, names)
        return 0

    try:
        devices.resolve_budget(text, no_value_yet)
    except ExpressionError as error:
        return Fault(where, error.code, error.message, error.hint, offset=error.offset)
    except UnknownNameError as error:
        return Fault(where, "unknown-device", error.message, error.hint)
    return None
