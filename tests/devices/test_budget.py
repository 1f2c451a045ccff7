"""Budgets: device, size or expression, and the share of one block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.errors import ExpressionError, FaultError, UnknownNameError
from smemdsl.devices import (
    Budget,
    Preset,
    blocks_per_sm,
    devices,
    presets,
    resolve,
    resolve_budget,
    shared_by,
)


def evaluate(text: str) -> int:
    """Stands in for the expression language: two expressions with a value, every other an unknown name."""
    values = {"2 * tile": 65536, "m-1": 127, "tile - 99999": -1}
    if text in values:
        return values[text]
    raise ExpressionError(f"unknown name in {text}", 3, hint="names: tile, m")


@pytest.mark.parametrize(
    ("text", "name", "size", "preset"),
    [
        ("H100", "sm_90", 232448, "sm_90"),
        ("h100-sm-shared-228kb", "sm_90/sm", 233472, "sm_90/sm"),
        ("ascend910b-ub", "ascend910b-ub", 196608, "ascend910b-ub"),
        (65536, "65536", 65536, None),
        (0, "0", 0, None),
        (4090, "4090", 4090, None),
        ("65536", "65536", 65536, None),
        ("100 KiB", "100 KiB", 102400, None),
        ("4090 B", "4090 B", 4090, None),
        ("2 * tile", "2 * tile", 65536, None),
        ("m-1", "m-1", 127, None),
    ],
)
def test_device_then_size_then_expression(text: str | int, name: str, size: int, preset: str | None) -> None:
    """A device is named canonically, anything else as it was written."""
    budget = resolve_budget(text, evaluate)
    assert (budget.name, budget.bytes) == (name, size)
    assert budget.preset == (resolve(preset) if preset else None)


@pytest.mark.parametrize(
    ("text", "message", "hint", "offset"),
    [
        ("100 KB", "1000 to some and 1024 to others", "100 KiB for 102400 B, or 100000 B", 4),
        ("1_000", "not a whole number", "write 1000", 0),
        ("-5", "without '-'", "", 0),
        ("2 * tilt", "unknown name in 2 * tilt", "names: tile, m", 3),
        ("4090", "a size, and a short name of sm_89", "4090 B for the size, or rtx-4090", 0),
        ("1080", "a size, and a short name of sm_61", "1080 B for the size, or gtx-1080", 0),
        (-1, "0 or more", "", 0),
        (1 << 63, "below 2^63", "", 0),
        ("tile - 99999", "0 or more", "", 0),
        (True, "not true or false", "", 0),
    ],
)
def test_wrong_sizes_and_expressions(text: str | int, message: str, hint: str, offset: int) -> None:
    """What is no budget is refused with what is wrong, where, and what to write instead."""
    with pytest.raises(ExpressionError) as caught:
        resolve_budget(text, evaluate)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("h10", "'h10' is not a device, a size or an expression", "h100"),
        ("rtx-4091", "not a device", "rtx-4090"),
        ("limit", "unknown name in limit", "names: tile, m"),
        ("h100/cu", "sm_90 has no memory 'cu'", "sm_90/sm"),
        ("ascend910b", "name one", "ascend910b-ub"),
    ],
)
def test_wrong_names(text: str, message: str, hint: str) -> None:
    """What looks like a name gets the nearest devices or, where none is near, the expression's own hint."""
    with pytest.raises(UnknownNameError) as caught:
        resolve_budget(text, evaluate)
    assert message in caught.value.message
    assert hint in caught.value.hint


@given(st.integers(0, (1 << 63) - 1))
def test_numbers_are_bytes(number: int) -> None:
    """A number, and the same in text with its unit, is that many bytes."""
    assert resolve_budget(number, evaluate) == Budget(str(number), number, None)
    assert resolve_budget(f"{number} B", evaluate).bytes == number


@pytest.mark.parametrize(
    ("name", "blocks", "size"),
    [
        ("sm_90", 1, 232448),
        ("sm_90", 2, 115712),
        ("sm_90/sm", 1, 232448),
        ("sm_90/sm", 2, 115712),
        ("sm_90/static", 2, 49152),
        ("sm_61/sm", 1, 49152),
        ("rtx-4090", 3, 33024),
    ],
)
def test_shared_by(name: str, blocks: int, size: int) -> None:
    """The least of budget, share of the SM and block limit, worked out by hand; the name stays."""
    budget = resolve_budget(name, evaluate)
    assert shared_by(budget, blocks) == budget._replace(bytes=size)


@given(st.sampled_from([preset for preset in presets() if preset.device.sm]), st.integers(1, 16))
def test_that_many_blocks_run(preset: Preset, blocks: int) -> None:
    """A block of exactly the shared budget runs that often on an SM."""
    budget = shared_by(Budget(preset.name, preset.bytes, preset), blocks)
    assert blocks_per_sm(preset.device, dynamic_bytes=budget.bytes, opt_in=preset.opt_in).blocks >= blocks


@pytest.mark.parametrize(
    ("text", "blocks", "message"),
    [
        ("100 KiB", 2, "needs a device as budget, and 100 KiB is none"),
        ("gfx942", 2, "not for gfx942"),
        ("sm_90", 33, "sm_90 runs 1 to 32 blocks"),
        ("sm_90", 0, "sm_90 runs 1 to 32 blocks"),
    ],
)
def test_what_cannot_be_shared(text: str, blocks: int, message: str) -> None:
    """A size, a device without a rule and too many blocks are faults at `blocks_per_sm`."""
    with pytest.raises(FaultError, match=message) as caught:
        shared_by(resolve_budget(text, evaluate), blocks)
    assert [fault.where for fault in caught.value.faults] == [("blocks_per_sm",)]


def test_digits_that_name_a_card_never_pass_silently() -> None:
    """Whatever digits a card is called by: as a budget they are refused, not guessed."""
    digits = {
        name
        for device in devices()
        for product in device.products
        for name in product.names
        if name.isdigit()
    }
    assert {"4090", "5090", "3090"} <= digits
    for name in digits:
        with pytest.raises(ExpressionError, match="a size, and a short name"):
            resolve_budget(name, evaluate)
