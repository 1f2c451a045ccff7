"""Neighbouring statements under one condition become one slot.

An `if` without else is first split: each statement inside gets the condition for itself. In a kernel with
some TMA operation, neighbours under the same condition are then merged: the parts of an `if`, what one thread
executes (TMA copies and stores), and statements that move one buffer each, of the same element count below
the thread count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from smemdsl.compilers.tilelang.rules.emitted_ir import Node, condition
from smemdsl.program.rule import Rule

RULE = Rule(
    "merge-if/conditions",
    compiler="TileLang",
    passes="IfStmtBinding, MergeIfStmt",
    source="src/transform/if_stmt_binding.cc, src/transform/merge_if_stmt.cc",
    since="0.1.15",
    evidence="15 kernels made to tell which neighbours merge, 16 made to tell in which kernels",
)


def merge_neighbours(nodes: Sequence[Node]) -> list[Node]:
    """Neighbours under one condition are one slot, in a kernel with some TMA operation.

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
            merged += condition(together, label, RULE.name)
        else:
            merged += together
    return merged
