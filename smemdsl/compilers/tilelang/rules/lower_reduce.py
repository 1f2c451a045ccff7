"""The workspace of a reduction: one element for each thread, where values cross warps.

Every emission of such a reduction has a workspace of its own, with one version and the default alignment; in
the prologue, the steady loop and the epilogue of a pipelined loop that is one each. A reduction within a warp
needs none. In a branch on the thread index, the threads are those of the branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.compilers.tilelang.rules import alignment
from smemdsl.compilers.tilelang.rules.emitted_ir import Node
from smemdsl.compilers.tilelang.rules.kernel import Kernel
from smemdsl.compilers.tilelang.rules.liveness import Entry, Life
from smemdsl.core.buffers import Bytes
from smemdsl.program.lowered import LoweredBuffer
from smemdsl.program.rule import Rule
from smemdsl.program.statements import Reduce

RULE = Rule(
    "lower-reduce/workspace",
    compiler="TileLang",
    passes="LowerTileOp",
    source="src/op/reduce.cc, src/cuda/op/reduce.cc",
    since="0.1.15",
    evidence="20 of the 22 recorded programs with a reduction; two have one more, and are not covered",
)


def emit_reduce(reduce: Reduce, label: str, kernel: Kernel) -> list[Node]:
    """A reduction across warps is a nest that needs a workspace, where the flag says so."""
    if not reduce.cross_warp:
        return [Node(label, touched=reduce.reads)]
    need = "a reduction across warps has one element of workspace a thread"
    threads = reduce.threads or kernel.threads_for(need, reduce.where)
    size = threads * max(reduce.dtype_bits // 8, 1)
    leaf = Node(label, touched=reduce.reads, rule=RULE.name, workspace=size)
    return [Node(label, "loop", body=(leaf,), nest=True, rule=RULE.name)]


def workspace_buffers(
    workspaces: Sequence[tuple[str, Node]], life: dict[str, Life], line: Sequence[Entry], align: Bytes
) -> Iterator[LoweredBuffer]:
    """The workspaces, one for every emission of a reduction across warps."""
    for name, node in workspaces:
        start, end, why_live = life[name]
        yield LoweredBuffer(
            name,
            1,
            node.workspace,
            align,
            start,
            end,
            RULE.because("a workspace has one version"),
            why_live,
            alignment.RULE.because("the default"),
            RULE.because(f"one element for each thread, for slot {start} ({line[start].label})"),
        )


def name_workspaces(
    nodes: Sequence[Node], taken: frozenset[str]
) -> tuple[list[Node], list[tuple[str, Node]]]:
    """Names for the workspaces, in order of emission, and the tree that touches them."""
    names = (
        name
        for number in range(1, 1 << 62)
        if (name := "workspace" if number == 1 else f"workspace__{number}") not in taken
    )
    found: list[tuple[str, Node]] = []

    def named(node: Node) -> Node:
        if node.workspace:
            found.append((next(names), node))
            return node._replace(touched=(*node.touched, found[-1][0]))
        return node._replace(body=tuple(map(named, node.body))) if node.body else node

    return [named(node) for node in nodes], found
