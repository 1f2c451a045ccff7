"""Devices and their scratchpad limits: names, presets, blocks per SM, budgets.

Everything stands in `devices.json`, each value with its sources.
"""

from __future__ import annotations

from smemdsl.devices.budget import Budget, resolve_budget, shared_by
from smemdsl.devices.data import devices, left_out, sources
from smemdsl.devices.launch import Launch
from smemdsl.devices.launchable import (
    BUDGET,
    CLUSTER,
    LIMITS,
    OPT_IN,
    PORTABLE,
    STATIC,
    Obstacle,
    is_architecture_specific,
    of_block,
    of_cluster,
    of_threads,
    static_limit,
)
from smemdsl.devices.model import Device, Fact, Memory, Preset, Product, SmLimits
from smemdsl.devices.names import find, presets, resolve
from smemdsl.devices.occupancy import Occupancy, blocks_per_sm, share_of_sm
from smemdsl.devices.occupancy_cliffs import OccupancyCliffs, occupancy_cliffs
from smemdsl.devices.query import occupancy

__all__ = [
    "BUDGET",
    "CLUSTER",
    "LIMITS",
    "OPT_IN",
    "PORTABLE",
    "STATIC",
    "Budget",
    "Device",
    "Fact",
    "Launch",
    "Memory",
    "Obstacle",
    "Occupancy",
    "OccupancyCliffs",
    "Preset",
    "Product",
    "SmLimits",
    "blocks_per_sm",
    "devices",
    "find",
    "is_architecture_specific",
    "left_out",
    "occupancy",
    "occupancy_cliffs",
    "of_block",
    "of_cluster",
    "of_threads",
    "presets",
    "resolve",
    "resolve_budget",
    "share_of_sm",
    "shared_by",
    "sources",
    "static_limit",
]
