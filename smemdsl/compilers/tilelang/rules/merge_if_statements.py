"""W6: neighbouring statements under one condition become one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from smemdsl.compilers.tilelang.rules.emitted_ir import Node, condition


def merge_neighbours(nodes: Sequence[Node]) -> list[Node]:
    """R4 and W6: neighbours under one condition are one slot, in a kernel with some TMA operation.

    The parts of an `if`; TMA copies before the loop and TMA stores; statements that move one buffer each, of
    the same element count below the thread count (as compiled in 15 kernels made to tell). The pass that
    merges runs only for kernels with TMA (16 kernels made to tell; both in
    `tests/program/test_program_rules.py`). It decides offsets of one recorded program and of two random
    kernels, and no total of either.
    """
    merged: list[Node] = []
    for key, group in groupby(nodes, key=lambda node: node.merge):
        together = list(group)
        if key and len(together) > 1:
            label = " and ".join(node.label for node in together)
            merged += condition(together, label, "R4" if key[0] == "if" else "W6")
        else:
            merged += together
    return merged
