"""What an arena is judged against: a device's limit, a size, or the value of an expression."""

import re
from collections.abc import Callable
from typing import NamedTuple

from smemdsl.core.errors import ExpressionError, Fault, FaultError, UnknownNameError
from smemdsl.core.units import LIMIT, parse_size
from smemdsl.devices.launch import sm_limits
from smemdsl.devices.model import Preset
from smemdsl.devices.names import did_you_mean_device, find
from smemdsl.devices.occupancy import share_of_sm

_NAME_LIKE = r"[A-Za-z]\w*(?:[ ./:\-]\w+)*"


class Budget(NamedTuple):
    """A number of bytes, and what it is called in results."""

    name: str
    """The canonical name of a device preset; anything else as it was written."""
    bytes: int
    preset: Preset | None
    """The device preset that it comes from."""


def resolve_budget(text: str | int, evaluate: Callable[[str], int]) -> Budget:
    """The budget that the text stands for: a device, or else a size, or else an expression.

    Digits alone are a size; those which are also the short name of a card (`4090`) are refused.

    Args:
        text: As it was written; a number is a number of bytes.
        evaluate: Gives the value of an expression, or raises ExpressionError.

    Raises:
        UnknownNameError: it looks like a name, but is none, and no expression either; or it names a device
            but not which of its memories.
        ExpressionError: it is a size or an expression with an error in it, or its value is not a size.
    """
    if isinstance(text, int):
        return Budget(str(text), _checked(text), None)
    preset = find(text)
    if text.strip().isdigit():
        if preset:
            raise _two_meanings(text.strip(), preset)
    elif preset:
        return Budget(preset.name, preset.bytes, preset)
    size = parse_size(text)
    return Budget(text, _evaluated(text, evaluate) if size is None else size, None)


def shared_by(budget: Budget, blocks: int) -> Budget:
    """The most that one block may take of the budget so that `blocks` of them run on one SM.

    The least of the budget, an equal share of the SM (`share_of_sm`), and what one block may ask for.

    Raises:
        FaultError: the budget is not a device's, no occupancy rule is known for the device, or it never runs
            that many blocks. The fault is at the key `blocks_per_sm`.
    """
    if budget.preset is None:
        message = f"blocks_per_sm needs a device as budget, and {budget.name} is none"
        hint = "name a preset, for instance budget: sm_90"
        raise FaultError([Fault(("blocks_per_sm",), "blocks-per-sm", message, hint)])
    device = budget.preset.device
    most = min(budget.bytes, sm_limits(device).block_optin, share_of_sm(device, blocks))
    return budget._replace(bytes=most)


def _evaluated(text: str, evaluate: Callable[[str], int]) -> int:
    try:
        return _checked(evaluate(text))
    except ExpressionError as error:
        if not re.fullmatch(_NAME_LIKE, text.strip()):
            raise
        hint = did_you_mean_device(text) or error.hint or "`smemdsl devices` lists the devices"
        message = f"{text.strip()!r} is not a device, a size or an expression: {error.message}"
        raise UnknownNameError(message, hint) from error


def _checked(value: int) -> int:
    if isinstance(value, bool):
        raise ExpressionError("a budget is a number of bytes, not true or false", code="size")
    if not 0 <= value < LIMIT:
        raise ExpressionError(f"a budget is 0 or more and below 2^63 bytes, not {value}", code="size")
    return value


def _two_meanings(text: str, preset: Preset) -> ExpressionError:
    names = (name for product in preset.device.products if text in product.names for name in product.names)
    hint = f"write {text} B for the size, or {next(names, preset.name)} for the device"
    return ExpressionError(
        f"{text} is a size, and a short name of {preset.device.id}", code="size", hint=hint
    )
