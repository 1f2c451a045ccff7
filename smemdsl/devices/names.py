"""From what people write to a preset.

A name is matched whatever its case, with or without the separators it is spelled with: `RTX 4090`, `rtx_4090`
and `rtx4090` are one. A separator where the spelling has none does not match: `m-1` stays an expression.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from smemdsl.core.did_you_mean import nearest
from smemdsl.core.errors import UnknownNameError
from smemdsl.devices.data import devices
from smemdsl.devices.model import Device, Preset

_SEPARATOR = re.compile(r"[ _.\-]")
_BRANDS = frozenset({"nvidia", "geforce", "tesla", "amd", "instinct", "radeon", "intel", "apple", "huawei"})
_LONGEST = 100
"""Characters beyond which nothing is a name, so that a long text costs no time."""
_LIST = "`smemdsl devices` lists every preset"


class _Entry(NamedTuple):
    cuts: frozenset[int]
    """Where a separator may stand, counted in characters that are none."""
    spelling: str
    device: Device
    memory: str | None
    """None for a bare device name."""


def resolve(name: str) -> Preset:
    """The preset of that name.

    A compute capability (`sm_90`, `sm90`, `compute_90`; `sm_90a` and `sm_90f` mean the same), an AMD target
    (`gfx942`, with or without its features), a product (`h100`, `NVIDIA GeForce RTX 4090`, `mi300x`) or a
    memory of one of these (`h100/sm`, `sm_90/static`, `ascend910b-ub`).

    Raises:
        UnknownNameError: no such device or memory, or a device whose memories have to be named.
    """
    if preset := find(name):
        return preset
    raise UnknownNameError(f"unknown device {name!r}", did_you_mean_device(name) or _LIST)


@lru_cache(maxsize=256)  # every scenario of a batch asks for the same few
def find(name: str) -> Preset | None:
    """The preset of that name, or None where nothing that it begins with is a device.

    Raises:
        UnknownNameError: the device is known, but has no such memory, or needs one named.
    """
    if len(name) > _LONGEST:
        return None
    text, slash, key = name.strip().partition("/")
    entry = _lookup(text)
    if entry is None or (slash and entry.memory) or key.startswith("/"):  # a2//2 is a division
        return None
    return _preset(entry.device, key if slash else entry.memory, named=bool(slash))


def presets() -> tuple[Preset, ...]:
    """Every preset, in the order of the data file, a device's own limit first."""
    return tuple(Preset(device, memory) for device in devices() for memory in device.memories)


def did_you_mean_device(name: str) -> str:
    """A hint that names devices written almost like this, or named within it; empty where there are none."""
    known = [entry.spelling for entry in _table().values() if not entry.spelling.isdigit()]
    same = [device.id for device in devices() if device.compute_capability == name.strip()]
    words = [
        entry.spelling for word in re.split(r"[^A-Za-z0-9]+", name[:_LONGEST]) if (entry := _lookup(word))
    ]
    near = same or [word for word in words if not word.isdigit()] or nearest(name, known)
    return f"did you mean {' or '.join(dict.fromkeys(near[:3]))}?" if near else ""


def _preset(device: Device, key: str | None, *, named: bool) -> Preset:
    wanted = key.strip().lower().replace("_", "-") if key is not None else None
    memory = device.primary if wanted is None else device.memory(wanted)
    if memory:
        return Preset(device, memory)
    known = ", ".join(Preset(device, memory).name for memory in device.memories)
    message = f"{device.id} has no memory {key!r}" if named else f"{device.id} has several memories: name one"
    raise UnknownNameError(message, f"one of {known}")


def _lookup(text: str) -> _Entry | None:
    """The entry that the text, or what follows a brand in it, spells."""
    if text[:3].lower() == "gfx":
        text = text.partition(":")[0]  # gfx942:sramecc+:xnack-
    while True:
        key, cuts = _squeeze(text)
        entry = _table().get(key)
        if entry and cuts <= entry.cuts:
            return entry
        brand = _SEPARATOR.split(text, maxsplit=1)
        if len(brand) == 1 or brand[0].lower() not in _BRANDS:
            return None
        text = brand[1]


def _squeeze(text: str) -> tuple[str, frozenset[int]]:
    parts = _SEPARATOR.split(text.lower())
    if not all(parts):
        return "", frozenset()
    return "".join(parts), frozenset(accumulate(len(part) for part in parts[:-1]))


@lru_cache(maxsize=1)
def _table() -> dict[str, _Entry]:
    table: dict[str, _Entry] = {}
    for device in devices():
        for spelling, memory in spellings(device):
            key, cuts = _squeeze(spelling)
            before = table.get(key)
            if before is None:
                table[key] = _Entry(cuts, spelling, device, memory)
            elif before.device == device and before.memory == memory:
                table[key] = before._replace(cuts=before.cuts | cuts)
    return table


def spellings(device: Device) -> list[tuple[str, str | None]]:
    """Every name of the device and its presets, with the memory it stands for (None: the bare device's)."""
    bare = [device.id, *_targets(device), *(name for product in device.products for name in product.names)]
    named: list[tuple[str, str | None]] = [(name, None) for name in bare]
    named += device.preset_names
    if device.separator == "-":
        named += [(f"{name}-{memory.key}", memory.key) for name in bare for memory in device.memories]
    return named


def _targets(device: Device) -> list[str]:
    """What compilers call a compute capability; the `a` and `f` variants exist from 9.0 on."""
    if device.compute_capability is None:
        return []
    major, minor = device.compute_capability.split(".")
    suffixes = ("", "a", "f") if int(major) >= 9 else ("",)
    return [f"{kind}_{major}{minor}{suffix}" for kind in ("sm", "compute") for suffix in suffixes]
