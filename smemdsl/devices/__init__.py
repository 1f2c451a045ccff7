"""Devices and their scratchpad limits: names, presets, blocks per SM, budgets.

Everything stands in `devices.json`, each value with its sources.
"""

from __future__ import annotations

from smemdsl.devices.budget import Budget, resolve_budget, shared_by
from smemdsl.devices.data import devices, left_out, sources
from smemdsl.devices.model import Device, Fact, Memory, Preset, Product, SmLimits
from smemdsl.devices.names import find, presets, resolve
from smemdsl.devices.occupancy import Occupancy, blocks_per_sm, share_of_sm
from smemdsl.devices.query import occupancy
from smemdsl.devices.steps import Steps, steps

__all__ = [
    "Budget",
    "Device",
    "Fact",
    "Memory",
    "Occupancy",
    "Preset",
    "Product",
    "SmLimits",
    "Steps",
    "blocks_per_sm",
    "devices",
    "find",
    "left_out",
    "occupancy",
    "presets",
    "resolve",
    "resolve_budget",
    "share_of_sm",
    "shared_by",
    "sources",
    "steps",
]
