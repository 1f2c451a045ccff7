"""Reads `devices.json`, on first use.

The file is the single place where limits stand; a value without a source stays out of it.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import Any

from smemdsl.core.errors import InternalError
from smemdsl.devices.model import Device, Fact, Memory, Product, SmLimits

_MEMORIES = {
    "nvidia": {
        "block": "smem_per_block_optin_bytes",
        "sm": "smem_per_sm_bytes",
        "static": "smem_per_block_default_bytes",
    },
    "amd": {"workgroup": "lds_per_workgroup_bytes", "cu": "lds_per_cu_bytes"},
    "intel": {"workgroup": "slm_per_workgroup_bytes", "xe-core": "slm_per_xe_core_bytes"},
    "apple": {"threadgroup": "threadgroup_memory_bytes"},
    "huawei": {key: f"{key}_bytes" for key in ("ub", "l1", "l0a", "l0b", "l0c")},
}
"""Each vendor's memories and the values that hold their sizes; the one of the bare name first."""
_NO_PRIMARY = frozenset({"huawei"})


@lru_cache(maxsize=1)
def devices() -> tuple[Device, ...]:
    """Every device of the data file, in its order."""
    return tuple(_device(entry) for entry in _read()["devices"])


def sources() -> dict[str, str]:
    """What each source key of a fact stands for, in words."""
    return dict(_read()["sources"])


def left_out() -> tuple[str, ...]:
    """What is not in the data because no vendor's source was found."""
    return tuple(_read()["left_out"])


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    with open(os.path.join(os.path.dirname(__file__), "devices.json"), encoding="utf-8") as file:
        content: dict[str, Any] = json.load(file)
    return content


def _device(entry: dict[str, Any]) -> Device:
    facts = {name: _fact(name, **value) for name, value in entry["values"].items()}
    vendor = entry["vendor"]
    return Device(
        id=entry["id"],
        vendor=vendor,
        compute_capability=entry.get("compute_capability"),
        status=entry["status"],
        note=entry["note"],
        products=tuple(_product(**product) for product in entry["products"]),
        memories=tuple(_memory(key, facts[name]) for key, name in _MEMORIES[vendor].items() if name in facts),
        separator="-" if vendor in _NO_PRIMARY else "/",
        preset_names=tuple(entry.get("preset_names", {}).items()),
        sm=_sm_limits(entry["values"]) if vendor == "nvidia" else None,
        facts=tuple(facts.values()),
    )


def _fact(name: str, value: int | list[int], sources: list[str]) -> Fact:
    return Fact(name, tuple(value) if isinstance(value, list) else value, tuple(sources))


def _product(name: str, names: list[str], sources: list[str]) -> Product:
    return Product(name, tuple(names), tuple(sources))


def _memory(key: str, fact: Fact) -> Memory:
    if not isinstance(fact.value, int):
        raise InternalError(f"{fact.name} is a list, not the size of {key}")
    return Memory(key, fact.value, fact.sources)


def _sm_limits(values: dict[str, Any]) -> SmLimits:
    def value(name: str) -> int:
        return int(values[name]["value"])

    return SmLimits(
        smem_per_sm=value("smem_per_sm_bytes"),
        block_optin=value("smem_per_block_optin_bytes"),
        block_default=value("smem_per_block_default_bytes"),
        reserved=value("reserved_smem_per_block_bytes"),
        granularity=value("smem_alloc_granularity_bytes"),
        carveouts=tuple(kib * 1024 for kib in values["carveout_kib"]["value"]),
        max_blocks=value("max_blocks_per_sm"),
        max_threads=value("max_threads_per_sm"),
        max_threads_per_block=value("max_threads_per_block"),
        registers=value("regs_per_sm"),
        registers_per_block=value("regs_per_block"),
        registers_per_thread=value("max_regs_per_thread"),
        partitions=value("sub_partitions_per_sm"),
        max_cluster=value("max_blocks_per_cluster") if "max_blocks_per_cluster" in values else 0,
    )
