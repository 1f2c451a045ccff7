"""Live ranges: which slot touches a buffer first and last, and the end-of-life move.

Each statement at the top level of the emitted kernel is one slot, a loop or an `if` with all it contains too;
under aggressive merge each innermost statement is one. A buffer lives from the first slot that touches it to
the last; one that a scalar variable outside every loop and `if` is read from lives through the kernel. If
its last touch is in deeper nests than its first, it lives on over the following slots that begin
or end some life, up to the next one of exactly the first touch's depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdsl.compilers.tilelang.rules.emitted_ir import SLOTS, Node, touched
from smemdsl.core.buffers import Slot
from smemdsl.program.lowered import Provenance
from smemdsl.program.rule import Rule

RULE = Rule(
    SLOTS,
    compiler="TileLang",
    passes="MergeSharedMemoryAllocations",
    source="src/transform/merge_shared_memory_allocations.cc",
    since="0.1.15",
    evidence="257 recorded programs with the compiler's total; the end-of-life move decides 5 of them",
)


class Entry(NamedTuple):
    """One slot of the allocator's line."""

    label: str
    touched: tuple[str, ...]
    depth: int
    """Nests around it, its own included."""
    rule: str


class Life(NamedTuple):
    """When a buffer is live, and why."""

    start: Slot
    end: Slot
    why: Provenance


def line_of(nodes: Sequence[Node], *, aggressive: bool) -> list[Entry]:
    """Each node at the kernel's top level is one slot.

    Under aggressive merge each leaf is one, its depth the number of nests around it: 41 of the 44 recorded
    programs with that option have the compiler's total, and the other three are not covered. What a scalar
    variable at the kernel's top level is read from is touched where the kernel begins and where it ends.
    """
    if aggressive:
        line = [entry for node in nodes for entry in _leaf_entries(node, 0)]
    else:
        line = [Entry(node.label, touched(node), int(node.nest), node.rule) for node in nodes]
    return _around(_scalars(nodes), line)


def _scalars(nodes: Iterable[Node]) -> tuple[str, ...]:
    return tuple(name for node in nodes if node.scalar for name in node.touched)


def _around(whole: tuple[str, ...], line: list[Entry]) -> list[Entry]:
    """Slots for the begin and the end of a kernel where it holds scalars."""
    if not whole:
        return line
    return [
        Entry("the kernel begins", whole, 0, RULE.name),
        *line,
        Entry("the kernel ends", whole, 0, RULE.name),
    ]


def _leaf_entries(node: Node, depth: int) -> Iterator[Entry]:
    own = Entry(node.label, node.touched + _scalars(node.body), depth + node.nest, node.rule)
    if node.kind == "leaf" or own.touched:
        yield own
    for inner in node.body:
        yield from _leaf_entries(inner, depth + node.nest)
    if node.body and own.touched:
        yield own


def lives(line: Sequence[Entry], static: frozenset[str] = frozenset()) -> dict[str, Life]:
    """The life of each buffer that some slot touches; static ones have none, and begin or end nothing."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for slot, entry in enumerate(line):
        for name in (each for each in entry.touched if each not in static):
            first.setdefault(name, slot)
            last[name] = slot
    eventful = sorted({*first.values(), *last.values()})
    return {name: _life(line, first[name], last[name], eventful) for name in first}


def _life(line: Sequence[Entry], first: Slot, last: Slot, eventful: Sequence[Slot]) -> Life:
    text = f"slot {first} ({line[first].label})"
    text = f"at {text}" if first == last else f"from {text} to slot {last} ({line[last].label})"
    moved = moved_end(line, first, last, eventful)
    if moved > last:
        text += (
            f"; its last touch is in a nest, so it lives on to the end of slot {moved} ({line[moved].label})"
        )
        return Life(first, moved + 1, RULE.because(text))
    rule = line[last].rule if line[last].rule != RULE.name else line[first].rule
    return Life(first, last + 1, Provenance(rule, text))


def moved_end(line: Sequence[Entry], first: Slot, last: Slot, eventful: Sequence[Slot]) -> Slot:
    """Where a life ends whose last touch is in deeper nests than its birth.

    It goes on over the following slots that begin or end some life, up to the next one of exactly the birth's
    depth. It decides the total of 5 of the 257 covered programs, and offsets of 11.
    """
    if line[last].depth <= line[first].depth:
        return last
    end = last
    for slot in (each for each in eventful if each > last):
        if line[slot].depth == line[first].depth:
            break
        end = slot
    return end
