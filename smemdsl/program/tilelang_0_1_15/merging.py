"""W6: neighbouring statements under one condition become one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from smemdsl.program.tilelang_0_1_15.tree import Node, condition


def merge_neighbours(nodes: Sequence[Node]) -> list[Node]:
    """W6: neighbours that one thread or a thread range executes are one slot.

    TMA copies before the loop, TMA stores, small copies of the same element count below the thread count;
    only where warp specialisation is not switched off. Decides 1 of 188 totals.
    """
    merged: list[Node] = []
    for key, group in groupby(nodes, key=lambda node: node.merge):
        together = list(group)
        if key and len(together) > 1:
            merged += condition(together, " and ".join(node.label for node in together), "W6")
        else:
            merged += together
    return merged
